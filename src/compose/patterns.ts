import type { Config } from '../config/config.ts';

/**
 * Whether the user's own patterns can be used, by the engine that will use them.
 * @throws SmartForkError CONFIG_INVALID, naming the pattern.
 */
export async function checkPatterns(patterns: Config['privacy']['patterns']): Promise<void> {
  const { compilePatterns } = await import('../adapters/secretlint/user-patterns.ts');
  await compilePatterns(patterns);
}
