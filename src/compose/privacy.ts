import type { PrivacyRules } from '../app/privacy/privacy-rules.ts';
import type { Config } from '../config/config.ts';
import type { ForgottenSessions } from '../ports/index-state.ts';
import type { Redactor } from '../ports/redactor.ts';
import type { Sharing } from './server.ts';

export async function privacyRules({ privacy }: Config): Promise<PrivacyRules> {
  const { createPrivacyRules } = await import('../app/privacy/privacy-rules.ts');
  const { exclude, ignoreFileText, userHome, patterns } = privacy;
  return createPrivacyRules({ exclude, ignoreFileText, home: userHome, patterns });
}

/**
 * Compiles the user's own patterns with the redactor's engine.
 * @throws SmartForkError CONFIG_INVALID, naming the pattern.
 */
export async function checkPatterns(patterns: Config['privacy']['patterns']): Promise<void> {
  const { compilePatterns } = await import('../adapters/secretlint/user-patterns.ts');
  await compilePatterns(patterns);
}

/** Loads its rules with the first text to redact, because a search has none. */
export function lazyRedactor({ privacy }: Config): Redactor {
  let made: Promise<Redactor> | null = null;
  const make = async () => {
    const { createRedactor } = await import('../adapters/secretlint/create-redactor.ts');
    return createRedactor({ patterns: privacy.patterns });
  };
  return {
    redact: async (texts) => {
      made ??= make();
      return (await made).redact(texts);
    },
  };
}

/** Local ids of forgotten sessions, read afresh on every call. */
export function forgottenHere(
  server: Sharing | null,
  notes: () => Pick<ForgottenSessions, 'forgotten'>,
): () => Set<string> {
  return () => {
    const localId = server?.localId() ?? ((id: string) => id);
    return new Set(
      notes()
        .forgotten()
        .map(({ sessionId }) => localId(sessionId)),
    );
  };
}
