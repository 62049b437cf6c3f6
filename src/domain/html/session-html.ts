import { createHash } from 'node:crypto';
import { AGENT_ROWS } from '../agent/agents.ts';
import { commitText } from '../session/commit-hash.ts';
import type { SessionRecord } from '../session/session.ts';
import { escapeHtml } from './escape.ts';
import { STYLE } from './style.ts';

/** A step of a turn, as readers get it. */
type HtmlStep =
  | { kind: 'text' | 'thinking'; text: string }
  | {
      kind: 'tool';
      name: string;
      summary: string;
      input?: string;
      output?: string;
      edits?: { path: string; before: string; after: string }[];
      failed?: true;
      images?: { mime: string; data: string }[];
      cut?: number;
    }
  | { kind: 'compaction'; summary: string | null }
  | { kind: 'prompt' }
  | { kind: 'subagent'; title: string; turn_count: number; turns?: HtmlTurn[]; note?: string };

/** Text of a transcript, which is Markdown and not to be trusted, as HTML. */
export type ProseHtml = (text: string) => string;

export interface HtmlTurn {
  index: number;
  timestamp: string | null;
  user: string;
  assistant: string;
  rewound?: true;
  steps: HtmlStep[];
}

/**
 * Nothing is loaded, sent or run, whatever a transcript contains: the only style is the document's own, and images are in it. A browser
 * enforces this even if a text were not escaped.
 */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** The document up to its first turn. `facts` are short texts about the session. */
export function htmlHead(session: SessionRecord, facts: string[], titles: string[]): string {
  const title = escapeHtml(session.title || 'Untitled session');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="smart-fork">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>${title}</h1>
<p class="facts">${facts.map((fact) => `<span>${escapeHtml(fact)}</span>`).join(' ')}</p>
${commitsHtml(session)}</header>
<details class="outline"><summary>${titles.length} ${titles.length === 1 ? 'turn' : 'turns'}</summary>
<ol>${titles.map((text, index) => `<li><a href="#turn-${index + 1}">${escapeHtml(text) || '…'}</a></li>`).join('\n')}</ol>
</details>
<main>
`;
}

export function htmlEnd(note: string | null): string {
  return `</main>
<footer>${note === null ? '' : `${escapeHtml(note)} `}Written by smart-fork. Secrets that it knows are redacted.</footer>
</body>
</html>
`;
}

function commitsHtml({ commits }: SessionRecord): string {
  if (commits.length === 0) return '';
  const rows = commits.map(({ hash, subject }) =>
    hash === ''
      ? `<li>${escapeHtml(commitText({ hash, subject }))}</li>`
      : `<li><code>${escapeHtml(hash.slice(0, 8))}</code> ${escapeHtml(subject)}</li>`,
  );
  return `<details><summary>${commits.length} ${commits.length === 1 ? 'commit' : 'commits'}</summary><ul>${rows.join('\n')}</ul></details>\n`;
}

/** What stands in a document's first line about a session. */
export function htmlFacts(session: SessionRecord): string[] {
  const { repo_name, branch, agent, model, message_count, started_at, ended_at, session_id } = session;
  const time = (text: string | null) => text?.slice(0, 16).replace('T', ' ') ?? null;
  const [from, to] = [time(started_at), time(ended_at)];
  return [
    repo_name,
    branch,
    AGENT_ROWS[agent].name,
    model,
    `${message_count} messages`,
    from === null && to === null ? null : `${from ?? '?'} – ${to ?? '?'} UTC`,
    session_id,
  ].filter((fact): fact is string => fact !== null && fact !== '');
}

export function htmlTurn(
  { index, timestamp, user, assistant, rewound, steps }: HtmlTurn,
  proseHtml: ProseHtml,
): string {
  const number = index + 1;
  const time =
    timestamp === null ? '' : `<time>${escapeHtml(timestamp.slice(0, 16).replace('T', ' '))}</time>`;
  const shown = steps.length === 0 && assistant !== '' ? [{ kind: 'text' as const, text: assistant }] : steps;
  const isLate = shown.some(({ kind }) => kind === 'prompt');
  const prompt = user === '' ? '' : `<div class="prompt">${proseHtml(user)}</div>`;
  return `<section id="turn-${number}">
<h2><a href="#turn-${number}">${number}</a> ${time}${rewound === true ? ' taken back' : ''}</h2>
${isLate ? '<p class="facts">Before the first prompt</p>' : prompt}
${shown.map((step) => (step.kind === 'prompt' ? prompt : stepHtml(step, proseHtml))).join('\n')}
</section>
`;
}

function stepHtml(step: HtmlStep, proseHtml: ProseHtml): string {
  switch (step.kind) {
    case 'prompt':
      return '';
    case 'text':
      return proseHtml(step.text);
    case 'thinking':
      return `<details class="thinking"><summary>Thinking</summary>${proseHtml(step.text)}</details>`;
    case 'compaction':
      return `<details class="note"><summary>Compacted. From here on, the agent no longer saw the messages above.</summary>${proseHtml(step.summary ?? '')}</details>`;
    case 'subagent': {
      const turns = (step.turns ?? []).map(({ user, assistant, steps }) => {
        const inner =
          steps.length === 0 ? proseHtml(assistant) : steps.map((one) => stepHtml(one, proseHtml)).join('\n');
        return `<div class="prompt">${proseHtml(user)}</div>${inner}`;
      });
      const note = step.note === undefined ? '' : `<p>${escapeHtml(step.note)}</p>`;
      return `<details class="note"><summary>Subagent: ${escapeHtml(step.title)}</summary>${turns.join('\n')}${note}</details>`;
    }
    default:
      return toolHtml(step);
  }
}

function toolHtml({
  name,
  summary,
  input,
  output,
  edits = [],
  failed,
  images = [],
  cut,
}: Extract<HtmlStep, { kind: 'tool' }>): string {
  // "Bash: npm test", "Write src/a.ts": agents have several names for a tool, and the line repeats it.
  const own = summary.startsWith(`${name} `) ? [name, summary.slice(name.length + 1)] : null;
  const [kind = name, text = ''] = own ??
    /^([A-Z]\w*): (.*)$/s.exec(summary)?.slice(1) ?? [name, summary === name ? '' : summary];
  const parts = [
    ...edits.map(
      ({ path, before, after }) =>
        `<p><code>${escapeHtml(path)}</code></p>${before === '' ? '' : `<pre class="removed">${escapeHtml(before)}</pre>`}${after === '' ? '' : `<pre class="added">${escapeHtml(after)}</pre>`}`,
    ),
    ...[input, output].map((one) => (one === undefined || one === '' ? '' : `<pre>${escapeHtml(one)}</pre>`)),
    ...images.map(({ mime, data }) => imageHtml(mime, data)),
    cut === undefined || cut === 0 ? '' : `<p>${cut} more characters are in the transcript.</p>`,
  ];
  const line = `<b>${escapeHtml(kind)}</b> <code>${escapeHtml(text.trim())}</code>${failed === true ? ' <em>failed</em>' : ''}`;
  return `<details class="tool"><summary>${line}</summary>${parts.join('')}</details>`;
}

/** Only kinds that cannot hold scripts. */
function imageHtml(mime: string, data: string): string {
  const isSafe = /^image\/(?:png|jpeg|gif|webp)$/.test(mime) && /^[A-Za-z0-9+/]+={0,2}$/.test(data);
  return isSafe ? `<img alt="" src="data:${mime};base64,${data}">` : '';
}
