import { describe, expect, it } from 'vitest';
import { forkOptions, optionLine } from '../../../src/domain/search/fork-options.ts';

const result = {
  session_id: '8402b1ed-99dc-417d-86a9-36a147803600',
  title: `Rotate the signing keys ${'of every service '.repeat(8)}`.trim(),
  repo_name: 'widgets',
  certainty: 86.6,
  date: '2026-01-01T00:00:00Z',
};
const kinds = (count: number) =>
  forkOptions(Array(count).fill(result)).map((option) =>
    'digit' in option ? `${option.digit} ${option.kind}` : option.kind,
  );

describe('the choices after a search', () => {
  it('are three sessions, None, Type something, and the others behind More', () => {
    expect(kinds(3)).toEqual(['1 session', '2 session', '3 session', '4 fresh', '5 refine']);
    expect(kinds(5)).toEqual(['1 session', '2 session', '3 session', '4 fresh', '5 refine', 'more']);
    expect(forkOptions(Array(5).fill(result)).at(-1)).toMatchObject({ count: 2 });
  });

  it('number None and Type something after the sessions that there are', () => {
    expect(kinds(2)).toEqual(['1 session', '2 session', '3 fresh', '4 refine']);
    expect(kinds(0)).toEqual(['1 fresh', '2 refine']);
  });

  it('say the whole title, the certainty, the date, the repository and the id', () => {
    const context = { nowMs: Date.parse('2026-01-15T12:00:00Z'), shortId: (id: string) => id.slice(0, 8) };
    expect(optionLine(result, context)).toBe(`${result.title} · 8402b1ed · 2 weeks ago · 87% · widgets`);
    expect(optionLine({ ...result, certainty: null }, context)).not.toContain('%');
  });
});
