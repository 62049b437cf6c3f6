import { expect, it } from 'vitest';
import { isShownIdea } from '../../../src/domain/memory/shown-ideas.ts';

it('shows ideas of reliable sources, and remarks only if an agent or a model recorded them', () => {
  const idea = { kind: 'conclusion', origin: 'transcript' } as const;
  expect(isShownIdea({ ...idea, evidence: 'report' })).toBe(true);
  expect(isShownIdea({ ...idea, evidence: 'remark' })).toBe(false);
  expect(isShownIdea({ ...idea, evidence: 'remark', origin: 'agent' })).toBe(true);
});
