import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSearchNotes } from '../../../src/adapters/notes/search-notes.ts';
import { tempFolder } from '../../support/files/temp-folder.ts';

describe('search notes', () => {
  it('keeps intact notes if part of their file is damaged', () => {
    const path = join(tempFolder('notes'), 'searches.json');
    for (const told of ['7', 'null', '[]', '["x"]', '{"tip":5}']) {
      writeFileSync(path, `{"models":{"a":"/models/a"},"told":${told}}`);
      const notes = createSearchNotes(path);
      expect(notes.toldOn('tip')).toBeNull();
      notes.setToldOn('tip', '2026-01-02');
      expect(notes.toldOn('tip')).toBe('2026-01-02');
      expect(notes.modelFolder('a')).toBe('/models/a');
    }
  });

  it('reads no notes from a file that is not a JSON object', () => {
    const path = join(tempFolder('notes'), 'searches.json');
    for (const text of ['', 'null', '[]', '3', '{"models"']) {
      writeFileSync(path, text);
      expect(createSearchNotes(path).modelFolder('a')).toBeNull();
    }
  });
});
