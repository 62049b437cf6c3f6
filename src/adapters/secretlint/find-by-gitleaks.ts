import type { Finding } from '../../domain/text/redaction.ts';
import { createSignFinder } from './find-signs.ts';
import { GITLEAKS_RULES } from './gitleaks-rules.ts';
import { entropy, isPlaceholder } from './looks-secret.ts';

interface Rule {
  id: string;
  keywords: string[];
  entropy: number;
  group: number;
  expression: RegExp;
}

const RULES: Rule[] = GITLEAKS_RULES.map(([id, keywords, least, group, pattern]) => ({
  id,
  keywords: keywords.split(' '),
  entropy: least,
  group,
  expression: new RegExp(pattern, 'g'),
}));

const BY_KEYWORD = groupByKeyword();

/** As in gitleaks, a rule runs only on texts with one of its keywords. */
const SHORT_KEYWORDS = [...BY_KEYWORD.keys()].filter((keyword) => keyword.length < 3);
const findKeywords = createSignFinder([...BY_KEYWORD.keys()].filter((keyword) => keyword.length >= 3));
/** The shortest secret that a rule can match. */
const TOKEN = /[\w+/=.~-]{12}/;

/** Finds credentials by the rules that gitleaks publishes. */
export function findByGitleaks(text: string): Finding[] {
  if (!TOKEN.test(text)) return [];
  const rules = new Set<Rule>();
  const lower = text.toLowerCase();
  const seen = new Set<string>();
  const add = (keyword: string) => {
    if (seen.has(keyword)) return;
    seen.add(keyword);
    for (const rule of BY_KEYWORD.get(keyword) ?? []) rules.add(rule);
  };
  findKeywords(lower, add);
  for (const keyword of SHORT_KEYWORDS) if (lower.includes(keyword)) add(keyword);
  return [...rules].flatMap((rule) => findByRule(text, rule));
}

function findByRule(text: string, { id, entropy: least, group, expression }: Rule): Finding[] {
  const findings: Finding[] = [];
  for (const match of text.matchAll(expression)) {
    const secret = secretIn(match, group);
    if (isPlaceholder(secret) || entropy(secret) < least) continue;
    const start = match.index + match[0].lastIndexOf(secret);
    findings.push({ rule: id, start, end: start + secret.length });
  }
  return findings;
}

/** Some groups of a pattern are a scheme or a single letter. Returns the longest one that may be a secret, or the whole match. */
export function secretIn([all, ...groups]: readonly string[], group: number): string {
  const given =
    group === 0 ? groups.reduce((a, b = '') => (b.length > a.length ? b : a), '') : groups[group - 1];
  return given !== undefined && given.length >= 8 && !given.startsWith('http') ? given : (all ?? '');
}

function groupByKeyword(): Map<string, Rule[]> {
  const all = [...new Set(RULES.flatMap(({ keywords }) => keywords))];
  return new Map(all.map((keyword) => [keyword, RULES.filter(({ keywords }) => keywords.includes(keyword))]));
}
