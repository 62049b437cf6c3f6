import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import type {
  SecretLintRuleContext,
  SecretLintRuleCreator,
  SecretLintRuleReportDescriptor,
  SecretLintSourceCode,
} from '@secretlint/types';
import type { Finding } from '../../domain/text/redaction.ts';
import type { TimeLimit } from '../../ports/time-limit.ts';
import { isPlaceholder } from './looks-secret.ts';

/**
 * Finds secrets with secretlint's recommended rules. Calls the rules directly, because @secretlint/core records several performance
 * marks per rule and call and never frees them. Ignores `secretlint-disable` comments: a transcript must not control redaction.
 */
export async function findByLibraryRules(
  text: string,
  limit: Pick<TimeLimit, 'run'> = ALWAYS,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const rule of rules) {
    if (rule.meta.type !== 'scanner' || rule.meta.id.endsWith('-filter-comments')) continue;
    await runRule(rule, text, findings, limit);
  }
  return findings;
}

const ALWAYS: Pick<TimeLimit, 'run'> = { run: (work) => work() };

async function runRule(
  rule: SecretLintRuleCreator<object>,
  text: string,
  findings: Finding[],
  limit: Pick<TimeLimit, 'run'>,
): Promise<void> {
  const name = rule.meta.id.replace(/^.*secretlint-rule-/, '');
  const context: SecretLintRuleContext = {
    sharedOptions: {},
    createTranslator: () => (messageId, props) => ({
      message: '',
      messageId: String(messageId),
      data: props,
    }),
    report: (descriptor) => {
      const span = secretSpan(name, text, descriptor);
      if (span === null) return;
      const value = text.slice(span.start, span.end).replace(PREFIX, '');
      if (LOGINS.has(name) || !isPlaceholder(value)) findings.push({ rule: name, ...span });
    },
    ignore: () => undefined,
  };
  const options = name === 'aws' ? { enableIDScanRule: true } : {};
  await limit.run(() => rule.create(context, options).file?.(sourceOf(text)));
}

/** The user and the host beside their password may be an example's. */
const LOGINS = new Set(['basicauth', 'database-connection-string']);

/** What tokens of a kind begin with: `xoxb-your-token` is a placeholder as `your-token` is. */
const PREFIX = /^[a-z]{2,10}[-_]/i;

/** The range of the secret itself. Some rules report the start of its name with the length of the secret. */
function secretSpan(
  rule: string,
  text: string,
  { message, range }: SecretLintRuleReportDescriptor,
): { start: number; end: number } | null {
  // An account number is not a secret.
  if (message.messageId === 'AWSAccountID') return null;
  const [from, to] = range;
  const value = secretOf(message.data) ?? text.slice(from, to);
  const found = text.indexOf(value, from);
  if (found < 0) return { start: from, end: to };
  const login = LOGINS.has(rule) ? USER_INFO.exec(value) : null;
  if (login === null) return { start: found, end: found + value.length };
  const start = found + (login[1] ?? '').length;
  return { start, end: start + (login[2] ?? '').length };
}

/** In a URL, with or without a scheme, only user and password are secret. The host stays readable. */
const USER_INFO = /^((?:[a-z0-9+:]+:\/\/)?)([^:/\s]+:[^@/\s]+)@/i;

/** Rules use different names for the secret: KEY, TOKEN, ID, URI, URL, CREDENTIAL. */
function secretOf(data: unknown): string | null {
  if (typeof data !== 'object' || data === null) return null;
  const named = Object.entries(data).find(([key, value]) => key !== 'typeName' && typeof value === 'string');
  return named === undefined || named[1] === '' ? null : String(named[1]);
}

/** A source without a file name, so that rules about file names do not apply. */
function sourceOf(content: string): SecretLintSourceCode {
  const nowhere = { line: 1, column: 0 };
  return {
    content,
    filePath: '',
    physicalFilePath: undefined,
    ext: '',
    contentType: 'text',
    hasBOM: false,
    getFilePath: () => undefined,
    getPhysicalFilePath: () => undefined,
    locationToRange: () => [0, 0],
    rangeToLocation: () => ({ start: nowhere, end: nowhere }),
    positionToIndex: () => 0,
    indexToPosition: () => nowhere,
  };
}
