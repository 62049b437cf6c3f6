import { describe, expect, it } from 'vitest';
import { languageNamed, languageOfFile, languagesShown } from '../../../src/domain/session/languages.ts';

describe('languages', () => {
  it('knows a language by its name, a short name and the ending of its files, in any case', () => {
    const names = ['typescript', 'TS', '.tsx', 'mts', 'C++', 'cpp', 'hpp', 'Golang', 'py', 'zsh', 'f sharp'];
    expect(names.map(languageNamed)).toEqual([
      ...['typescript', 'typescript', 'typescript', 'typescript'],
      ...['c++', 'c++', 'c++', 'go', 'python', 'shell', null],
    ]);
    expect(['', 'nothing', '.', '__proto__'].map(languageNamed)).toEqual([null, null, null, null]);
  });

  it('knows the language of a source file, and none of documents and data', () => {
    expect(['C:\\work\\App.TSX', '/x/Makefile', 'lib/a.d.ts', 'q.sql', 'x.h'].map(languageOfFile)).toEqual([
      ...['typescript', 'makefile', 'typescript', 'sql', 'c'],
    ]);
    const others = ['README.md', 'package.json', 'a.yaml', '.gitignore', 'ts', '/x.ts/readme', 'x.ts/', ''];
    expect(others.map(languageOfFile).filter((one) => one !== null)).toEqual([]);
  });

  it('finds the languages of code blocks, not of their closing fences, of output and of data', () => {
    const text = [
      'First:',
      '```ts title="a.ts"',
      'const a = 1;',
      '```',
      '```',
      'ts output',
      '```',
      '- a list:',
      '  ```sql',
      '  SELECT 1',
      '  ```',
      '```json',
      '{}',
      '```',
      '```klingon',
      'nuqneH',
      '```',
      'inline ```py``` code',
    ];
    expect(languagesShown(text.join('\n'))).toEqual(['typescript', 'sql', 'other']);
    expect(languagesShown('no code')).toEqual([]);
  });
});
