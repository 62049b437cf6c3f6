import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Writes a transcript of this many MB that is nearly all text: prompts and long answers with words from a vocabulary. */
export function writeTextTranscript(path: string, sessionId: string, megabytes: number): void {
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(path, 'w');
  let seed = 7;
  const next = (most: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * most);
  };
  const vocabulary = Array.from({ length: 20_000 }, () => syllables(2 + next(3), next));
  // Words are distributed as in a language: a few frequent, most rare.
  const text = (length: number) => {
    let words = '';
    while (words.length < length)
      words += `${vocabulary[Math.floor((next(1000) / 1000) ** 3 * vocabulary.length)]}${next(12) === 0 ? '.\n\n' : ' '}`;
    return words;
  };
  for (let written = 0, number = 0; written < megabytes * 1_000_000; number += 1) {
    const isPrompt = number % 4 === 0;
    const content = text(isPrompt ? 400 : 8000);
    const line = {
      type: isPrompt ? 'user' : 'assistant',
      isSidechain: false,
      sessionId,
      cwd: '/home/sam/code/app',
      message: isPrompt
        ? { role: 'user', content }
        : { role: 'assistant', model: 'claude', content: [{ type: 'text', text: content }] },
      uuid: `${number.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`,
      timestamp: new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString(),
      version: '2.1.0',
      gitBranch: 'main',
    };
    written += writeSync(file, `${JSON.stringify(line)}\n`);
  }
  closeSync(file);
}

function syllables(count: number, next: (most: number) => number): string {
  const of = (letters: string) => letters[next(letters.length)] ?? '';
  return Array.from({ length: count }, () => of('bdfgklmnprstvz') + of('aeiou')).join('');
}
