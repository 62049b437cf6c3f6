import { describe, expect, it } from 'vitest';
import { renderError } from '../../../src/cli/shared/render-error.ts';
import { SmartForkError } from '../../../src/domain/errors.ts';
import { plainLook } from '../../support/render/samples.ts';

describe('renderError', () => {
  const away = new SmartForkError('STORE_UNAVAILABLE', 'cannot reach Qdrant at http://localhost:6333', {
    hint: 'start it, or unset QDRANT_URL to use the local store',
    cause: new Error('connect ECONNREFUSED'),
  });

  it('prints what failed and what to do', () => {
    expect(renderError(away, plainLook())).toBe(
      'error: cannot reach Qdrant at http://localhost:6333\nhint: start it, or unset QDRANT_URL to use the local store',
    );
  });

  it('shows no stack trace unless debugging, then with causes', () => {
    expect(renderError(new TypeError('x is not a function'), plainLook())).toBe(
      'error: x is not a function\nhint: this is a bug in smart-fork; run the command with --debug to see where',
    );
    const debug = renderError(away, plainLook(), { debug: true });
    expect(debug).toMatch(/\n {4}at /);
    expect(debug).toContain('caused by Error: connect ECONNREFUSED');
  });

  it('renders any thrown value', () => {
    expect(renderError('plain text', plainLook())).toContain('error: plain text');
    expect(renderError(undefined, plainLook())).toContain('error: undefined');
    expect(renderError(new Error(''), plainLook())).toContain('error: unknown error');
    expect(renderError(new Error('a\x1b[2Jb'), plainLook())).toContain('error: ab');
  });

  it('stops at a cycle of causes', () => {
    const error = new Error('a');
    error.cause = error;
    expect(renderError(error, plainLook(), { debug: true })).toContain('Error: a');
  });
});
