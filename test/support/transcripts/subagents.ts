import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type ClaudeLine, jsonl, line, stampLines, toolPair } from './claude-transcripts.ts';

/** Where Claude Code writes a subagent of the session whose transcript is at this path. */
export function subagentPathOf(path: string, agentId: string): string {
  return path.replace(/\.jsonl$/, `/subagents/agent-${agentId}.jsonl`);
}

export function writeSubagent(path: string, agentId: string, lines: ClaudeLine[]): void {
  const file = subagentPathOf(path, agentId);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, jsonl(lines));
}

/** A subagent that found a valve with this name, begun after some of the session's lines. */
export function valveSearch(word: string, after?: number): ClaudeLine[] {
  const lines = [
    line.user(`Find the ${word} valve`),
    ...toolPair('Grep', { pattern: word }, 'found'),
    line.assistant(`The ${word} valve is open.`),
  ];
  return sidechain(lines, after);
}

/** A subagent's lines as Claude Code writes them, under the session's id. They begin after the session's first prompt. */
export function sidechain(lines: ClaudeLine[], after = 1): ClaudeLine[] {
  return stampLines(lines, { after, seed: 'sidechain', start: '2026-07-01T09:00:00.500Z' }).map((one) => ({
    ...one,
    isSidechain: true,
  }));
}
