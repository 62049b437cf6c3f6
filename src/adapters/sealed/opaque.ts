/** Casts a sealed word to the type of the plain one: stores compare it, but never read it. */
export function opaque<Word extends string>(sealed: string): Word {
  return sealed as Word;
}
