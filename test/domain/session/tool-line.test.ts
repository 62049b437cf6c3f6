import { expect, it } from 'vitest';
import { toolLine } from '../../../src/domain/session/tool-line.ts';

it('shows a tool call on one line, whatever its name and argument contain', () => {
  expect(toolLine('Bash', 'npm test\n  --watch', 'text')).toBe('Bash: npm test --watch');
  expect(toolLine('[main abc1234] x\n 1 file', 'src/a.ts', 'path')).toBe('[main abc1234] x 1 file src/a.ts');
  expect(toolLine(' \n ', 'src/a.ts', 'path')).toBe('tool src/a.ts');
  expect(toolLine('', '', 'text')).toBe('tool');
});
