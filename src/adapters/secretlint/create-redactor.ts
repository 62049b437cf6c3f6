import { applyFindings, type Finding, withoutPrivate } from '../../domain/text/redaction.ts';
import type { RedactableText, Redaction, Redactor } from '../../ports/redactor.ts';
import type { TimeLimit } from '../../ports/time-limit.ts';
import { findCommandPasswords } from './command-passwords.ts';
import { findCookies } from './cookies.ts';
import { findEncoded } from './encoded.ts';
import { findByGitleaks } from './find-by-gitleaks.ts';
import { findByIssuer } from './issuer-rules.ts';
import { findKeyData } from './key-data.ts';
import { findLogins } from './logins.ts';
import { findNamedSecrets, findUnderName } from './named-secrets.ts';
import { findPrefixedRandom } from './prefixed-random.ts';
import { findPrivateKeys } from './private-keys.ts';
import { mayHoldKnownSecret } from './screen.ts';
import { findInTables } from './tables.ts';
import { unescapeText, visibleText } from './unescape.ts';
import { type CompiledPattern, compilePatterns, findByPatterns, type UserPattern } from './user-patterns.ts';

/** An upper limit: each pass leaves fewer characters outside marks, and one pass is enough for most texts. */
const MAX_PASSES = 8;
/** HTML in HTML, such as `&amp;quot;`. More are not read: `&amp;amp;…` has as many as letters. */
const MOST_LAYERS = 4;

/** Redacts by secretlint's recommended rules, documented credential formats, names such as `password`, and the user's patterns. */
export function createRedactor(settings: { patterns?: UserPattern[] } = {}): Redactor {
  let compiled: Promise<CompiledPattern[]> | null = null;
  return {
    async redact(texts, limit = UNLIMITED) {
      compiled ??= compilePatterns(settings.patterns ?? []);
      const patterns = await compiled;
      const redactions: Redaction[] = [];
      for (const one of texts) {
        const within = one.text.length > LONG_TEXT ? limit : UNLIMITED;
        redactions.push(await redactText(one, patterns, within));
      }
      return redactions;
    },
  };
}

/** Shorter texts take milliseconds, and calls under a limit cost a tenth of one. */
const LONG_TEXT = 20_000;
const UNLIMITED: TimeLimit = { run: (work) => work(), isOver: () => false };

async function redactText(
  { text, name }: RedactableText,
  patterns: CompiledPattern[],
  limit: TimeLimit,
): Promise<Redaction> {
  const rules: string[] = [];
  let current = limit.run(() => withoutPrivate(text));
  if (current !== text) rules.push('private');
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const found = applyFindings(current, await findSecrets(current, name, patterns, limit));
    if (found.rules.length === 0) break;
    rules.push(...found.rules);
    current = found.text;
  }
  return { text: current, rules };
}

async function findSecrets(
  text: string,
  name: string | undefined,
  patterns: CompiledPattern[],
  limit: TimeLimit,
  layers = MOST_LAYERS,
): Promise<Finding[]> {
  const visible = layers === 0 ? null : limit.run(() => visibleText(text));
  if (visible !== null)
    return (await findSecrets(visible.text, name, patterns, limit, layers - 1)).map(visible.place);
  const ofIssuers = limit.run(() => findByIssuer(text));
  const findings = limit.run(() => [
    ...(name === undefined ? [] : findUnderName(name, text)),
    ...findNamedSecrets(text),
    ...findInTables(text),
    ...findCommandPasswords(text),
    ...findByPatterns(text, patterns),
    ...findByGitleaks(text),
    ...ofIssuers.findings,
    ...findPrefixedRandom(text),
    ...findCookies(text),
    ...findKeyData(text),
  ]);
  const hidesSecrets = async (decoded: string) =>
    (await findSecrets(decoded, undefined, patterns, limit)).length > 0;
  findings.push(...(await findEncoded(text, hidesSecrets)));
  const isKnown = limit.run(() => mayHoldKnownSecret(text));
  if (isKnown) {
    const more = limit.run(() => [...findLogins(text), ...findPrivateKeys(text)]);
    findings.push(...(await findByLibrary(text, limit)), ...more);
  }
  const isEscaped = isKnown || ofIssuers.isEscaped || ofIssuers.findings.length > 0;
  if (!isEscaped && patterns.length === 0 && !ESCAPED_LETTER.test(text)) return findings;
  const plain = limit.run(() => unescapeText(text));
  if (plain === null) return findings;
  const hidden = [
    ...(limit.run(() => mayHoldKnownSecret(plain.text)) ? await findByLibrary(plain.text, limit) : []),
    ...limit.run(() => [
      ...findByPatterns(plain.text, patterns),
      ...findByGitleaks(plain.text),
      ...findByIssuer(plain.text).findings,
    ]),
  ];
  return [...findings, ...hidden.map(plain.place)];
}

/** An escaped letter, digit, `_` or `-`. Found only in fully escaped texts and attempts to hide text. */
const ESCAPED_LETTER = /\\u00(?:2d|3\d|4[1-9a-f]|5[\daf]|6[1-9a-f]|7[\da])/i;

/** The library is loaded for the few texts that its rules may match. */
async function findByLibrary(text: string, limit: TimeLimit): Promise<Finding[]> {
  const { findByLibraryRules } = await import('./library-rules.ts');
  return findByLibraryRules(text, limit);
}
