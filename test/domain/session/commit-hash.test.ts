import { describe, expect, it } from 'vitest';
import { commitStarts, commitText, hashIn } from '../../../src/domain/session/commit-hash.ts';
import { commitUrl } from '../../../src/domain/session/repository.ts';

describe('a commit without a hash', () => {
  const quiet = { hash: '', subject: 'Turn the valve' };

  it('is shown with its subject', () => {
    expect(commitText({ hash: '1234567890', subject: 'Turn the valve' })).toBe('12345678 Turn the valve');
    expect(commitText(quiet)).toBe('Turn the valve (hash not printed)');
    expect(commitText({ hash: '', subject: '' })).toBe('(neither hash nor message printed)');
  });

  it('is no commit that is looked for by a hash, and has no address', () => {
    expect(hashIn(quiet, '1234567')).toBeUndefined();
    expect(commitStarts({ ...quiet, earlier: ['1234567890'] })).toEqual(['1234567']);
    expect(commitUrl('github.com/a/b', quiet)).toBeNull();
  });
});
