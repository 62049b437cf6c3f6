import type { RE2JS } from 're2js';
import { errorText, SmartForkError } from '../../domain/errors.ts';
import type { Finding } from '../../domain/text/redaction.ts';

/** A user's regular expression (RE2 syntax). If it has groups, only the first one is redacted. */
export interface UserPattern {
  /** Shown in the mark: lower-case letters, digits and hyphens. */
  name: string;
  pattern: string;
}

export interface CompiledPattern {
  rule: string;
  expression: RE2JS;
}

const MAX_PATTERNS = 100;
const LONGEST_PATTERN = 1000;

/**
 * Compiles the user's patterns with RE2, which runs in linear time, so that no pattern can make indexing hang. A time limit would make
 * a slow machine find less than a fast one.
 * @throws SmartForkError CONFIG_INVALID
 */
export async function compilePatterns(patterns: UserPattern[]): Promise<CompiledPattern[]> {
  if (patterns.length === 0) return [];
  if (patterns.length > MAX_PATTERNS)
    throw invalid(`there are ${patterns.length} patterns; at most ${MAX_PATTERNS} are allowed`);
  const { RE2JS } = await import('re2js');
  return patterns.map(({ name, pattern }) => {
    if (!/^[a-z0-9][a-z0-9-]{0,39}$/.test(name))
      throw invalid(`the pattern name "${name}" may only contain lower-case letters, digits and hyphens`);
    if (pattern.length > LONGEST_PATTERN)
      throw invalid(`the pattern ${name} is longer than ${LONGEST_PATTERN} characters`);
    return { rule: name, expression: compile(RE2JS, name, pattern) };
  });
}

export function findByPatterns(text: string, patterns: CompiledPattern[]): Finding[] {
  const findings: Finding[] = [];
  for (const { rule, expression } of patterns) {
    const matcher = expression.matcher(text);
    const group = matcher.groupCount() > 0 ? 1 : 0;
    while (matcher.find()) {
      const start = matcher.start(group);
      if (start >= 0) findings.push({ rule, start, end: matcher.end(group) });
    }
  }
  return findings;
}

function compile(engine: typeof RE2JS, name: string, pattern: string): RE2JS {
  try {
    const expression = engine.compile(pattern);
    if (!expression.matcher('').find()) return expression;
  } catch (cause) {
    throw invalid(`the pattern ${name} is invalid: ${errorText(cause)}`, cause);
  }
  throw invalid(`the pattern ${name} matches the empty string`);
}

function invalid(problem: string, cause?: unknown): SmartForkError {
  return new SmartForkError('CONFIG_INVALID', `privacy.redact: ${problem}`, {
    hint: 'Patterns are regular expressions in RE2 syntax (no look-around, no back-references). See docs/privacy.md.',
    cause,
  });
}
