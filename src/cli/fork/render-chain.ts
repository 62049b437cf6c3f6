import type { ForkTree } from '../../app/fork/fork-tree.ts';
import { messagesText, plural, timeAgo } from '../../domain/text/time-text.ts';
import { titleOf } from '../shared/labels.ts';
import { createInk, type Ink, type Look } from '../terminal/ink.ts';
import { displayWidth, truncate } from '../terminal/width.ts';

/** The tree of forks, with two lines per session and the requested session highlighted. */
export function renderChain(tree: ForkTree, asked: string, look: Look, options: { nowMs: number }): string {
  const ink = createInk(look);
  const branches = ink.symbols.rule === '─' ? UNICODE : ASCII;
  const lines: string[] = [];
  const draw = (node: ForkTree, before: string, below: string) => {
    const last = node.forks.length - 1;
    const [head, about] = nodeLines(node, node.session_id === asked, ink, options.nowMs, displayWidth(below));
    lines.push(ink.style.dim(before) + head);
    lines.push(ink.style.dim(below + (last >= 0 ? branches.bar : '   ')) + about);
    for (const [place, fork] of node.forks.entries()) {
      const isLast = place === last;
      draw(fork, below + (isLast ? branches.last : branches.fork), below + (isLast ? '   ' : branches.bar));
    }
  };
  draw(tree, '', '');
  return lines.map((line) => line.trimEnd()).join('\n');
}

const UNICODE = { fork: '├─ ', last: '└─ ', bar: '│  ' };
const ASCII = { fork: '|- ', last: '`- ', bar: '|  ' };

function nodeLines(
  node: ForkTree,
  asked: boolean,
  ink: Ink,
  nowMs: number,
  indent: number,
): [string, string] {
  const { style, symbols } = ink;
  const id = ink.shortId(node.session_id);
  if (node.session === null)
    return [style.dim(id), style.dim(indent === 0 ? 'not indexed here' : 'not indexed yet')];
  const { session } = node;
  const room = ink.columns - indent - id.length - 1;
  const title = truncate(titleOf(session), room, symbols.ellipsis);
  const forks = node.forks.length > 0 ? [plural(node.forks.length, 'fork')] : [];
  const facts = [
    timeAgo(session.ended_at ?? session.started_at, nowMs),
    messagesText(session),
    session.outcome,
    ...forks,
  ].filter((fact) => fact !== '');
  const about = truncate(facts.join(symbols.separator), ink.columns - indent - 5, symbols.ellipsis);
  const mark =
    node.succeeded === null
      ? ''
      : node.succeeded
        ? style.good(`${symbols.ok} `)
        : style.dim(`${symbols.dash} `);
  return [`${style.accent(id)} ${asked ? style.strong(title) : title}`, mark + style.dim(about)];
}
