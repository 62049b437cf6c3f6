import { readBytes } from '../../jsonl/open-file.ts';
import { readLines } from '../../jsonl/read-lines.ts';
import { asList, asRecord, asText, parseJson } from '../../jsonl/read-value.ts';
import { isMeta } from './joined.ts';
import { sniffLine } from './sniff-line.ts';

type Line = Record<string, unknown>;

/** Follows the chain of a transcript's messages. */
interface Chain {
  /** The messages that are no longer part of the conversation from this line on; null if the line changes nothing. */
  add(line: Line, offset: number): string[] | null;
}

/**
 * Every line names its parent. Where a prompt continues an earlier line than the last, the user went back to it. The whole chain is
 * searched only then, because in most transcripts each line continues the one before.
 */
export function createChain(path: string, from: number): Chain {
  let tip = from === 0 ? null : lastLine(path, from);
  let nodes: Map<string, Node> | null = null;
  const rewoundAt = (leaf: string | null, offset: number) => {
    nodes ??= readNodes(path);
    if (leaf !== null && !nodes.has(leaf)) return null;
    const before = previousPrompt(nodes, offset);
    const now = leaf === null ? promptsBefore(nodes, offset) : rewoundPrompts(nodes, leaf, offset);
    const then = before === null ? [] : rewoundPrompts(nodes, before, offset);
    return now.join() === then.join() ? null : now;
  };
  return {
    add(line, offset) {
      if (line.type === 'last-prompt')
        return isRewind(line) ? rewoundAt(asText(line.leafUuid), offset) : null;
      const uuid = asText(line.uuid);
      if (uuid === null || line.isSidechain === true) return null;
      const last = tip;
      tip = { uuid, offset };
      if (last === null ? from === 0 : line.parentUuid === last.uuid) return null;
      // Without parents, nothing tells where a line continues.
      if (kindOf(line) !== 'prompt' || line.parentUuid === undefined) return null;
      const parent = asText(line.parentUuid);
      return parent !== null && last !== null && isBetween(path, parent, last, offset)
        ? null
        : rewoundAt(uuid, offset);
    },
  };
}

/** Newer versions also say to which message the user went back; null: to before the first one. */
function isRewind({ explicit, rewound, leafUuid }: Line): boolean {
  return explicit === true && (typeof leafUuid === 'string' || (leafUuid === null && rewound === true));
}

const LOOK_BACK_BYTES = 64 * 1024;

interface Tip {
  uuid: string;
  offset: number;
}

/** Whether a message continues the last parsed line, through lines in between, most of which are not parsed. */
function isBetween(path: string, uuid: string, last: Tip, offset: number): boolean {
  const start = Math.max(last.offset, offset - LOOK_BACK_BYTES);
  const lines = readBytes(path, start, offset - start)
    .toString('utf8')
    .split('\n');
  let id: string | null = uuid;
  for (let at = lines.length - 1; at >= 0 && id !== last.uuid; at -= 1) {
    const text = lines[at] ?? '';
    if (!text.includes(`"uuid":"${id}"`)) continue;
    const line = asRecord(parseJson(text));
    id = asText(line?.parentUuid) ?? asText(line?.logicalParentUuid);
    if (id === null) return false;
  }
  return id === last.uuid || (id !== uuid && start > last.offset);
}

/** The last parsed line before an offset; null if it is too far away. */
function lastLine(path: string, from: number): Tip | null {
  const start = Math.max(0, from - LOOK_BACK_BYTES);
  const bytes = readBytes(path, start, from - start);
  for (let end = bytes.length; end > 0; ) {
    const newline = bytes.lastIndexOf(10, end - 1);
    const line = bytes.subarray(newline + 1, end);
    end = newline;
    if (newline < 0 || !line.includes('"uuid"') || sniffLine(line) !== 'parse') continue;
    const { uuid, isSidechain } = asRecord(parseJson(line.toString('utf8'))) ?? {};
    if (typeof uuid === 'string' && isSidechain !== true) return { uuid, offset: start + newline + 1 };
  }
  return null;
}

/** `queued`: a prompt that the agent took into its turn; `link`: neither the user's nor the agent's. */
type Kind = 'prompt' | 'queued' | 'message' | 'link';

interface Node {
  uuid: string;
  parent: string | null;
  session: string | null;
  offset: number;
  kind: Kind;
}

function readNodes(path: string): Map<string, Node> {
  const nodes = new Map<string, Node>();
  readLines(path, 0, 0, (bytes, _number, offset) => {
    if (!bytes.includes('"uuid"')) return true;
    const line = asRecord(parseJson(bytes.toString('utf8')));
    const uuid = asText(line?.uuid);
    if (line === null || uuid === null || line.isSidechain === true) return true;
    // A compaction begins a new chain, and names the end of the old one.
    const parent = asText(line.parentUuid) ?? asText(line.logicalParentUuid);
    if (!nodes.has(uuid))
      nodes.set(uuid, { uuid, parent, session: asText(line.sessionId), offset, kind: kindOf(line) });
    return true;
  });
  return nodes;
}

function kindOf(line: Line): Kind {
  if (line.type === 'assistant') return 'message';
  if (line.type === 'attachment')
    return asRecord(line.attachment)?.type === 'queued_command' ? 'queued' : 'link';
  if (line.type !== 'user' || isMeta(line)) return 'link';
  const isResult = asList(asRecord(line.message)?.content).some(
    (block) => asRecord(block)?.type === 'tool_result',
  );
  return isResult || line.isCompactSummary === true ? 'message' : 'prompt';
}

function previousPrompt(nodes: Map<string, Node>, offset: number): string | null {
  return promptsBefore(nodes, offset).at(-1) ?? null;
}

function promptsBefore(nodes: Map<string, Node>, offset: number): string[] {
  const before = [...nodes.values()].filter((node) => node.offset < offset && isTurn(node));
  return before.map(({ uuid }) => uuid);
}

function isTurn({ kind }: Node): boolean {
  return kind === 'prompt' || kind === 'queued';
}

/**
 * The prompts before an offset that a message does not continue. Chains branch and break for other reasons too: parallel calls,
 * compactions, missing lines. Only a prompt next to another prompt was taken back.
 */
function rewoundPrompts(nodes: Map<string, Node>, leaf: string, offset: number): string[] {
  const live = pathTo(nodes, leaf, new Set()).path;
  const ids = new Set(live.map(({ uuid }) => uuid));
  return promptsBefore(nodes, offset).filter((uuid) => {
    if (ids.has(uuid)) return false;
    const { path, end } = pathTo(nodes, uuid, ids);
    if (!beginsWithPrompt(path)) return false;
    const at = live.findIndex((node) => node.uuid === end);
    if (at >= 0) return at === live.length - 1 || beginsWithPrompt(live.slice(at + 1));
    // The user went back to before the first prompt.
    return (
      end === null &&
      live[0]?.parent === null &&
      live[0].session === path[0]?.session &&
      beginsWithPrompt(live)
    );
  });
}

/** The chain that ends with a message, oldest first, and the id at which it stops: in `known`, missing, or null. */
function pathTo(
  nodes: Map<string, Node>,
  leaf: string,
  known: Set<string>,
): { path: Node[]; end: string | null } {
  const path: Node[] = [];
  const seen = new Set<string>();
  let id: string | null = leaf;
  for (let node = nodes.get(leaf); node !== undefined && !known.has(node.uuid) && !seen.has(node.uuid); ) {
    seen.add(node.uuid);
    path.push(node);
    id = node.parent;
    node = id === null ? undefined : nodes.get(id);
  }
  return { path: path.reverse(), end: id };
}

function beginsWithPrompt(path: Node[]): boolean {
  return path.find(({ kind }) => kind === 'prompt' || kind === 'message')?.kind === 'prompt';
}
