/** What stands for a word that stores compare and never read: to them it is as good as the word. */
export function opaque<Word extends string>(sealed: string): Word {
  return sealed as Word;
}
