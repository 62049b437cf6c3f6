import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createCodexSource } from '../../../src/adapters/codex/source.ts';
import type { TranscriptSource } from '../../../src/ports/transcript-source.ts';
import { rounds } from '../../support/campaign.ts';
import { memoryFolder } from '../../support/files/temp-folder.ts';
import { type Random, replacePart, seededRandom } from '../../support/random.ts';
import {
  codexMeta,
  codexText,
  legacySession,
  PARENT_ID,
  paginatedSession,
  SESSION_ID,
  writeCodex,
} from '../../support/transcripts/codex-transcripts.ts';

const FILES = rounds({ quick: 500, slow: 100_000 });

it(`reads ${FILES} mutated Codex transcripts without throwing`, { timeout: 600_000 }, () => {
  const home = memoryFolder('fuzz');
  const source = createCodexSource({ homes: [home] });
  const originals = [
    codexText(legacySession()),
    codexText(paginatedSession(), 0),
    codexText([codexMeta(SESSION_ID, { forked_from_id: PARENT_ID }), ...legacySession(PARENT_ID)]),
  ];
  const path = writeCodex(home, SESSION_ID, '');
  const random = seededRandom(7);
  for (let count = 0; count < FILES; count++) {
    const original = originals[count % originals.length] ?? '';
    const mutated = count % 2 === 0 ? mutateBytes(original, random) : mutateValues(original, random);
    writeFileSync(path, mutated);
    if (!readsSanely(source, path, mutated.length)) expect.fail(`mutation ${count} is misread`);
  }
});

function readsSanely(source: TranscriptSource, path: string, size: number): boolean {
  const file = source.inspect(path);
  const inheritance = file && source.findInheritance(file, []);
  const inheritedBytes = inheritance?.inheritedBytes ?? 0;
  let sane = inheritedBytes <= size;
  const { end, lines, skipped } = source.read(path, { from: 0, linesBefore: 0, inheritedBytes }, (event) => {
    if (event.kind === 'message') sane &&= event.text !== '' && event.text.isWellFormed();
  });
  return sane && end <= size && skipped.every(({ line }) => line >= 1 && line <= lines);
}

/** Flips, removes, duplicates and inserts bytes at random places. */
function mutateBytes(text: string, random: Random): Buffer {
  let bytes = Buffer.from(text);
  for (let count = 1 + random(6); count > 0; count--) {
    const at = random(bytes.length);
    const end = Math.min(bytes.length, at + 1 + random(200));
    const [before, part, after] = [bytes.subarray(0, at), bytes.subarray(at, end), bytes.subarray(end)];
    const kind = random(5);
    if (kind === 0) bytes = Buffer.concat([before, after]);
    else if (kind === 1) bytes = Buffer.concat([before, part, part, after]);
    else if (kind === 2) bytes = Buffer.concat([before, Buffer.from([random(256), random(256)]), after]);
    else if (kind === 3) bytes = Buffer.from(before);
    else bytes = Buffer.concat([before, part.map((byte) => byte ^ (1 << random(8))), after]);
  }
  return bytes;
}

/** Replaces values by values of other types, so that the lines remain JSON. */
function mutateValues(text: string, random: Random): Buffer {
  const lines = text.trimEnd().split('\n');
  for (let count = 1 + random(8); count > 0; count--) {
    const index = random(lines.length);
    lines[index] = JSON.stringify(replaceOne(JSON.parse(lines[index] ?? 'null'), random));
  }
  return Buffer.from(`${lines.join('\n')}\n`);
}

function replaceOne(value: unknown, random: Random): unknown {
  return replacePart(
    value,
    random,
    4,
    () => [null, 7, '', '\ud800', [], {}, true, [null], { type: 'message' }, 'x'.repeat(300)][random(10)],
  );
}
