import { asList, asNumber, asRecord, asText, parseJson } from '../jsonl/read-value.ts';
import type { Row } from '../records/row-format.ts';
import { partsOf } from '../records/text-of.ts';
import { pathOfUri } from './file-uri.ts';

/** What Copilot notes beside its answer: the calls as the model made them, and what they returned. */
export interface KnownCalls {
  calls: Map<string, { tool: string; input: Row }>;
  results: Row;
  /** Paths that the calls edit. */
  edited: Set<string>;
}

export function createCalls(request: Row): KnownCalls {
  const metadata = asRecord(asRecord(request.result)?.metadata);
  const known: KnownCalls = {
    calls: new Map(),
    results: asRecord(metadata?.toolCallResults) ?? {},
    edited: new Set(),
  };
  for (const call of partsOf(metadata?.toolCallRounds).flatMap((round) => partsOf(round.toolCalls))) {
    const [id, tool] = [asText(call.id), asText(call.name)];
    const input = asRecord(call.arguments) ?? asRecord(parseJson(asText(call.arguments) ?? ''));
    if (id === null || tool === null || input === null) continue;
    known.calls.set(bare(id), { tool: NAMES[tool] ?? tool, input });
    const path = asText(input.filePath);
    if (path !== null && /edit|replace|create|insert/.test(tool)) known.edited.add(path);
  }
  return known;
}

/** `call_1__vscode-1760000000000-3` is `call_1`. */
function bare(id: string): string {
  const at = id.indexOf('__vscode');
  return at < 0 ? id : id.slice(0, at);
}

const NAMES: Record<string, string> = { run_in_terminal: 'bash', copilot_readFile: 'read_file' };

/** A call in an answer; null for an edit that one of the calls is known to make. */
export function callOf(
  part: Row,
  { calls, edited }: KnownCalls,
): { id: string | null; tool: string; input: unknown } | null {
  if (part.kind === 'textEditGroup') {
    const path = pathOfUri(part.uri);
    if (path === null || edited.has(path)) return null;
    const newText = asList(part.edits)
      .flatMap(partsOf)
      .flatMap((edit) => asText(edit.text) ?? [])
      .join('\n');
    return { id: null, tool: 'edit', input: { path, newText } };
  }
  const id = asText(part.toolCallId);
  const known = id === null ? undefined : calls.get(bare(id));
  if (known !== undefined) return { id, ...known };
  const data = asRecord(part.toolSpecificData);
  const line = asRecord(data?.commandLine);
  const command =
    asText(line?.userEdited) ?? asText(line?.toolEdited) ?? asText(line?.original) ?? asText(data?.command);
  if (data?.kind === 'terminal' && command !== null) return { id, tool: 'bash', input: { command } };
  const tool = asText(part.toolId) ?? 'tool';
  const given =
    asRecord(data?.rawInput) ?? asRecord(parseJson(asText(asRecord(part.resultDetails)?.input) ?? ''));
  return { id, tool: NAMES[tool] ?? tool, input: given ?? described(part) };
}

/** What the chat shows for a call: `Reading [](file:///srv/a.ts#1-1), lines 1 to 20`. */
function described(part: Row): Row {
  const message = part.pastTenseMessage ?? part.invocationMessage;
  const text = asText(message) ?? asText(asRecord(message)?.value) ?? asText(part.generatedTitle) ?? '';
  const path = pathOfUri(/\]\(((?:file|vscode-remote):[^)\s]{1,4000})\)/.exec(text)?.[1]);
  return path === null ? { title: text } : { path };
}

export function outputOf(part: Row, { results }: KnownCalls): { output: string; failed: boolean } | null {
  const [data, details] = [asRecord(part.toolSpecificData), asRecord(part.resultDetails)];
  const id = asText(part.toolCallId);
  const noted =
    id === null ? undefined : Object.entries(results).find(([name]) => bare(name) === bare(id))?.[1];
  const output =
    asText(asRecord(data?.terminalCommandOutput)?.text) ??
    (valuesOf(details?.output) || valuesOf(asRecord(noted)?.content));
  const exit = asNumber(asRecord(data?.terminalCommandState)?.exitCode);
  if (output === '' && exit === null && details === null) return null;
  return { output, failed: details?.isError === true || (exit !== null && exit !== 0) };
}

function valuesOf(content: unknown): string {
  return partsOf(content)
    .flatMap((part) => asText(part.value) ?? [])
    .join('\n');
}
