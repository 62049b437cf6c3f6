import { AGENT_ROWS, AGENTS, type Agent } from '../agent/agents.ts';
import { languageNamed } from '../session/languages.ts';
import { mentionsPastWork } from './mentions-past-work.ts';
import type { Mention, NamedFilter, NameKind } from './understanding.ts';

/** Words in a query that would be a filter if something of that name exists. */
export interface NameCandidate {
  kind: NameKind;
  start: number;
  end: number;
  name: string;
}

const NAME = '([\\p{L}\\p{N}_@][\\p{L}\\p{N}._/@-]*[\\p{L}\\p{N}_]|[\\p{L}\\p{N}])';
const SPOKEN = Object.values(AGENT_ROWS).map(({ spoken }) => spoken);
/** The names of agents as people say them, as one group. */
export const AGENT = `(${SPOKEN.join('|')})`;
const TOLD = '(?:tell|told|say|said|answer(?:ed)?|do|done|find|found|suggest(?:ed)?)(?:\\s+(?:me|us|you))?';
const END = '(?=\\s*(?:[,.;:!?]\\s*)?(?:$|\\0))';
const BEFORE = '(?<=^|[\\s\\0(,])';

/** "list every codex session that mentions", "in which web-shop sessions did we discuss" */
const sessionsOf = (name: string, sessions: string) =>
  `(?<=^[\\s\\0]{0,40})(?:(?:(?:find|get|give|list|search|show)\\s+)?(?:me\\s+)?(?:(?:all|an?|any|each|every|only|my|our|the)\\s+)*|(?:in\\s+)?which\\s+)${name}\\s+${sessions}(?=\\s*\\0|\\s+(?:about|concerning|did|discuss\\w*|do|mention\\w*|on|regarding|that|where|which|in\\s+which)\\b)`;

/** Only phrases that are practically unambiguous. The name is group 1. */
const PHRASES: Record<NameKind, string[]> = {
  repo: [
    `(?:in|from|inside|within)\\s+(?:the\\s+|our\\s+|my\\s+)?${NAME}\\s+(?:repo|repository|project)\\b(?!:\\S)`,
    `(?:in|from|inside|within)\\s+(?:the\\s+|our\\s+|my\\s+)?(?:repo|repository|project)\\s+${NAME}`,
    `repo:${NAME}`,
    `(?:(?:only|just)\\s+)?(?:in|inside|within|from)\\s+${NAME}(?:\\s+only)?(?:${END}|(?=\\s*[:,]\\s|\\s+(?:about|on|regarding|where|when)\\b))`,
    sessionsOf(NAME, '(?:sessions|chats|conversations)'),
    `(?<=^[\\s\\0]{0,40})(?:in|inside|within)\\s+${NAME}(?=\\s)(?!\\s+(?:and|or)\\b)`,
  ],
  branch: [
    `(?:on|in|from)\\s+(?:the\\s+|my\\s+)?branch\\s+${NAME}`,
    `on\\s+(?:the\\s+|my\\s+)?${NAME}\\s+branch\\b(?!:\\S)`,
    `branch:${NAME}`,
  ],
  machine: [
    `(?:on|from)\\s+(?:the\\s+|my\\s+)?(?:machine|host|laptop|computer|workstation)\\s+${NAME}`,
    `(?:on|from)\\s+(?:the\\s+|my\\s+)?${NAME}\\s+(?:machine|host|laptop|computer|workstation)\\b(?!:\\S)`,
    `machine:${NAME}`,
  ],
  lang: ['lang:([a-z][a-z0-9+#.-]{0,38}[a-z0-9+#]|[cr])'],
  agent: [
    `(?:with|in|using|by|from)\\s+(?:an?\\s+|the\\s+|my\\s+)?${AGENT}(?:['’]s)?\\s+(?:sessions?|chats?|conversations?)\\b`,
    sessionsOf(AGENT, '(?:sessions?|chats?|conversations?)'),
    `(?<=(?:sessions?|chats?|conversations?)\\s{1,9})(?:with|in|from|by)\\s+${AGENT}(?=\\s+(?:about|concerning|on|regarding|where)\\b)`,
    `(?:with|in|using|by|via)\\s+${AGENT}${END}`,
    `agent:${AGENT}`,
    `(?<=^[\\s\\0]{0,40})(?:what|when|where|why|how)\\s+(?:(?:did|has|had)\\s+${AGENT}(?:\\s+${TOLD})?|${AGENT}\\s+${TOLD})(?:\\s+(?:about|on))?(?=\\s)`,
    `(?<=^[\\s\\0]{0,40})(?:did|has|had)\\s+${AGENT}(?:\\s+ever)?(?=\\s)`,
  ],
};

/** Each phrase of a kind contains one of these. Compiling a phrase takes 2 ms: it uses Unicode letters and ignores case. */
const SIGNS: Record<NameKind, RegExp> = {
  repo: /repo|project|\bin(?:side)?\s|\b(?:within|from)\s|\b(?:sessions|chats|conversations)\s/iu,
  branch: /branch/iu,
  machine: /machine|host|laptop|computer|workstation/iu,
  lang: /lang:/iu,
  agent: new RegExp(SPOKEN.join('|'), 'iu'),
};

/** Before "with codex", these make the agent part of the topic. */
const TOPIC =
  /\b(?:align|communicat|compat|connect|consisten|incompat|integrat|interop|pair|sync)\w*\b|\b(?:auth|break|broken|bug|call|compar|configur|crash|differen|error|evaluat|experiment|fail|freez|hang|install|invok|issue|launch|problem|run|set ?up|start|support|talk|test|trouble|us(?:e|ing)\b|work)\w*(?:\s+\w+){0,2}\s*$/i;

/** These have too many sessions to be a filter, and are often part of the topic: "rebase on the main branch". */
const USUAL_BRANCH = /^(?:main|master|trunk|develop|dev|next)$/i;

/** Repositories are called so, and parts of programs. */
const USUAL_WORD =
  /^(?:agents?|apis?|apps?|backend|cli|clients?|code|common|core|docs?|examples?|frontend|home|lib|libs|main|mobile|plugins?|production|scripts?|sdk|servers?|site|src|staging|tests?|tmp|tools?|ui|utils?|web|website|workers?)$/i;

/** "copy the button from web-shop", unlike "the button stuff from web-shop". */
const TAKES =
  /\b(?:borrow|call|clon|cop(?:y|i)|deriv|download|drop|export|extract|fetch|fork|get|grab|import|inherit|install|link|load|merg|migrat|mov|port|pull|read|receiv|remov|re-?us|separat|split|switch|sync|tak|took|transfer|vendor)\w*\b/i;

/** "cursor" and "vs code" are in many topics, even where a comma sets them off. */
export function isUsualWord(agent: string): boolean {
  return /^(?:cursor|vs ?code)/i.test(agent);
}

export function isUsualRepository(name: string): boolean {
  return USUAL_WORD.test(name.replace(/^@/, ''));
}

/** Whether an agent after these words may be part of the topic: "run the evals with codex". */
export function agentMayBeTopic(before: string): boolean {
  return TOPIC.test(before);
}

/** Whether the words before a phrase make its name part of the topic. */
function isTopic(kind: NameKind, phrase: string, name: string, before: string): boolean {
  if (kind === 'repo') {
    if (/repo|project/i.test(phrase)) return false;
    return USUAL_WORD.test(name) || (/^(?:\w+\s+)?from\b/i.test(phrase) && TAKES.test(before));
  }
  if (kind === 'branch') return USUAL_BRANCH.test(name) && !phrase.includes(':') && !mentionsPastWork(before);
  if (kind !== 'agent' || phrase.includes(':')) return false;
  if (
    USUAL_AGENT.test(name) &&
    !NAMES_SESSION.test(phrase) &&
    !TELLS.test(phrase) &&
    !OF_SESSIONS.test(before)
  )
    return true;
  if (TOPIC.test(before)) return true;
  // "skills in Claude Code", "a skill used by codex", but "the hook we wrote in Claude Code".
  return (
    !NAMES_SESSION.test(phrase) &&
    /^(?:by|in|using)\b/i.test(phrase) &&
    /\w/.test(before) &&
    !mentionsPastWork(before)
  );
}

/** Agents are called so, and parts and models of programs: "fix pagination with cursor". */
const USUAL_AGENT = /^(?:copilot|cursor|gemini|goose|pi|qwen|vs ?code)(?:[ -]\w+)?$/i;
const TELLS = /\b(?:answer(?:ed)?|do|done|find|found|said|say|suggest(?:ed)?|tell|told)\b/i;
const OF_SESSIONS = /\b(?:sessions?|chats?|conversations?)\s{1,9}$/i;

const NAMES_SESSION = /\b(?:sessions?|chats?|conversations?)\b/i;

export function findNames(masked: string): NameCandidate[] {
  const kinds = Object.keys(PHRASES) as NameKind[];
  return kinds.flatMap((kind) =>
    (SIGNS[kind].test(masked) ? PHRASES[kind] : []).flatMap((phrase) =>
      Array.from(masked.matchAll(new RegExp(`${BEFORE}${phrase}`, 'giu')), (match) => ({
        kind,
        name: match.slice(1).find((group) => group !== undefined) ?? '',
        start: match.index,
        end: match.index + match[0].length,
      })).filter(
        ({ name, start, end }) => !isTopic(kind, masked.slice(start, end), name, masked.slice(0, start)),
      ),
    ),
  );
}

/** Whether the query says what the name is of: "in the web-shop repo", but not "in web-shop". */
export function saysKind({ kind, name, start, end }: NameCandidate, query: string): boolean {
  const from = query.slice(start, end);
  if (kind === 'repo')
    return /repo|project/i.test(from) && !(from.includes(':') && isPackage({ kind, name }));
  return kind === 'branch' || kind === 'machine';
}

/** Whether a text such as "repo:org.acme.cart" has the dotted name of a package, unlike "next.js" and "me.github.io". */
export function isPackage({ kind, name }: Pick<NameCandidate, 'kind' | 'name'>): boolean {
  return kind === 'repo' && DOTTED.test(name);
}

const DOTTED = /^[^./]+\.[^./]+\.(?!io$)[^/]+$/i;

/** The candidate as a filter, if its name exists. A repository may be named with its owner. */
export function nameMention({ kind, name, start, end }: NameCandidate, existing: string[]): Mention | null {
  const wanted =
    (kind === 'lang'
      ? languageNamed(name)
      : kind === 'agent'
        ? spokenAgent(name)
        : kind === 'repo'
          ? repositoryNamed(name)
          : name) ?? '';
  const value =
    existing.find((one) => one === wanted) ??
    existing.find((one) => one.toLowerCase() === wanted.toLowerCase());
  if (value === undefined) return null;
  const filter: NamedFilter =
    kind === 'repo'
      ? { repo: { repo_name: value } }
      : kind === 'agent'
        ? { agent: value as Agent }
        : { [kind]: value };
  return { start, end, filter, understood: [{ kind, value, text: FILTER_TEXTS[kind](value) }] };
}

/** Excludes what a mention names. */
export function withoutNamed({ start, end, filter = {}, understood }: Mention): Mention {
  const shown = understood.map(({ value, text }) => ({ kind: 'not' as const, value, text: `not ${text}` }));
  return { start, end, outside: filter, understood: shown };
}

/** "acme/web-shop" and "@web-shop", but not the package "@acme/web-shop" */
function repositoryNamed(name: string): string | undefined {
  if (name.startsWith('@')) return name.includes('/') ? undefined : name.slice(1);
  return name.split('/').at(-1);
}

export const FILTER_TEXTS: Record<NameKind, (name: string) => string> = {
  repo: (name) => `in ${name}`,
  branch: (name) => `on branch ${name}`,
  machine: (name) => `on ${name}`,
  lang: (name) => `${name} code`,
  agent: (name) => `with ${AGENTS.some((one) => one === name) ? AGENT_ROWS[name as Agent].name : name}`,
};

function spokenAgent(name: string): Agent | undefined {
  return AGENTS.find((agent) => new RegExp(`^(?:${AGENT_ROWS[agent].spoken})$`, 'i').test(name));
}
