import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import type {
  SecretLintRuleContext,
  SecretLintRuleCreator,
  SecretLintRuleReportDescriptor,
  SecretLintSourceCode,
} from '@secretlint/types';
import type { Finding } from '../../domain/text/redaction.ts';

/**
 * Finds secrets by secretlint's recommended rules. The rules are run through their own interface rather than by
 * @secretlint/core, which records several performance marks per rule and call and keeps them for the process's life.
 * A text's own `secretlint-disable` comments are not heeded: a transcript must not decide what is redacted in it.
 */
export async function findByLibraryRules(text: string): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const rule of rules) {
    if (rule.meta.type !== 'scanner' || rule.meta.id.endsWith('-filter-comments')) continue;
    await runRule(rule, text, findings);
  }
  return findings;
}

async function runRule(
  rule: SecretLintRuleCreator<object>,
  text: string,
  findings: Finding[],
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
      if (span !== null) findings.push({ rule: name, ...span });
    },
    ignore: () => undefined,
  };
  await rule.create(context, name === 'aws' ? { enableIDScanRule: true } : {}).file?.(sourceOf(text));
}

/** Where the secret itself stands. Some rules report where its name begins, with the length of the secret alone. */
function secretSpan(
  rule: string,
  text: string,
  { message, range }: SecretLintRuleReportDescriptor,
): { start: number; end: number } | null {
  // An account's number is no secret.
  if (message.messageId === 'AWSAccountID') return null;
  const [from, to] = range;
  const value = secretOf(message.data) ?? text.slice(from, to);
  const found = text.indexOf(value, from);
  if (found < 0) return { start: from, end: to };
  const login = rule === 'basicauth' || rule === 'database-connection-string' ? USER_INFO.exec(value) : null;
  if (login === null) return { start: found, end: found + value.length };
  const start = found + (login[1] ?? '').length;
  return { start, end: start + (login[2] ?? '').length };
}

/** Of an address, which may come without its scheme, only who logs in with what is a secret; where to stays readable. */
const USER_INFO = /^((?:[a-z0-9+:]+:\/\/)?)([^:/\s]+:[^@/\s]+)@/i;

/** Rules name what they found differently: KEY, TOKEN, ID, URI, URL, CREDENTIAL. */
function secretOf(data: unknown): string | null {
  if (typeof data !== 'object' || data === null) return null;
  const named = Object.entries(data).find(([key, value]) => key !== 'typeName' && typeof value === 'string');
  return named === undefined || named[1] === '' ? null : String(named[1]);
}

/** A text without a file: rules that look at names and folders find nothing to look at. */
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
