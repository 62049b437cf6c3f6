import { expect, it } from 'vitest';
import { passagesOf } from '../../../src/domain/memory/text/passages.ts';

it.each([
  ['**However**, if the valve is shut, the pump stops.', 'However, if the valve is shut, the pump stops.'],
  ['**Turn the valve** before the pump starts.', 'Turn the valve before the pump starts.'],
  ['**Root cause:** the valve was shut.', 'the valve was shut.'],
])('reads the words of %s', (raw, text) => {
  expect(passagesOf(raw).map((passage) => passage.text)).toEqual([text]);
});
