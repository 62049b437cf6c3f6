import { LANGUAGE_TABLE } from './language-table.ts';

/** Stands for the language of a code block that the table does not have. */
const OTHER_CODE = 'other';

const BY_NAME = new Map<string, string>();
const BY_FILE = new Map<string, string>();
for (const row of LANGUAGE_TABLE.trim().split('\n')) {
  const words = row.split(' ');
  for (const word of words) (/^[.A-Z]/.test(word) ? BY_FILE : BY_NAME).set(word, words[0] ?? '');
}

/** The language called so: `typescript`, `TS`, `.tsx`; null if the table has none. */
export function languageNamed(name: string): string | null {
  const word = name.trim().toLowerCase().replaceAll(' ', '-');
  return BY_NAME.get(word) ?? BY_FILE.get(`.${word.replace(/^\./, '')}`) ?? null;
}

export function languageNames(): string[] {
  return [...new Set(BY_NAME.values())];
}

/** The language of a source file; null for documents, data and settings. */
export function languageOfFile(path: string): string | null {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  return BY_FILE.get(name) ?? BY_FILE.get(name.slice(name.lastIndexOf('.')).toLowerCase()) ?? null;
}

/** The languages of a message's code blocks. Of a fence, only the first word counts: "ts title=app.ts". */
export function languagesShown(text: string): string[] {
  if (!text.includes('```')) return [];
  const found = new Set<string>();
  let isOpen = false;
  for (const [, word = ''] of text.matchAll(FENCE)) {
    if (!isOpen && !NO_CODE.test(word)) found.add(languageNamed(word) ?? OTHER_CODE);
    isOpen = !isOpen;
  }
  return [...found];
}

const FENCE = /^[ \t>]{0,12}```([\w#+.-]{0,40})/gm;
const NO_CODE =
  /^(?:console|csv|diff|json[5cl]?|log|markdown|md|mermaid|output|patch|plain(?:text)?|te?xt|toml|xml|ya?ml)?$/i;
