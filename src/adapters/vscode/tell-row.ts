import { asList, asRecord, asText } from '../jsonl/read-value.ts';
import type { RecordSink } from '../records/record-sink.ts';
import type { Row } from '../records/row-format.ts';
import { partsOf } from '../records/text-of.ts';
import { pathOfUri } from './file-uri.ts';
import { callOf, createCalls, type KnownCalls, outputOf } from './tool-calls.ts';

/** Tells what a prompt or an answer says; false if it does not have the shape of a request. */
export function tellRow(row: Row, sink: RecordSink): boolean {
  const request = asRecord(row.request);
  if (request === null) return false;
  const { message, response } = request;
  if (row.role === 'user') {
    if (isByVscode(request)) return true;
    const text = asText(message) ?? asText(asRecord(message)?.text) ?? textOfParts(asRecord(message)?.parts);
    sink.said({ role: 'user', text, uuid: asText(request.requestId) });
    return message !== undefined;
  }
  const model = asText(request.modelId);
  // `copilot/gpt-5`: the vendor comes first.
  if (model !== null) sink.noted({ kind: 'context', model: model.slice(model.indexOf('/') + 1) });
  tellAnswer(typeof response === 'string' ? [{ value: response }] : partsOf(response), request, sink);
  return (
    response === undefined || response === null || typeof response === 'string' || Array.isArray(response)
  );
}

/** A notice of a terminal, or a button that the user clicked. */
function isByVscode({ isSystemInitiated, hiddenFromTranscript, confirmation }: Row): boolean {
  return isSystemInitiated === true || hiddenFromTranscript === true || asText(confirmation) !== null;
}

/** Before messages had a text of their own. */
function textOfParts(parts: unknown): string {
  return partsOf(parts)
    .flatMap((part) => asText(part.text) ?? [])
    .join('');
}

/** Text comes in pieces, with references between them: it is one message up to the next call. */
function tellAnswer(parts: Row[], request: Row, sink: RecordSink): void {
  const calls = createCalls(request);
  let text = '';
  const say = () => {
    sink.said({ role: 'assistant', text, uuid: asText(request.responseId) });
    text = '';
  };
  for (const part of parts) {
    const said = saidBy(part);
    const answered = answersIn(part);
    if (said !== null) text += said;
    else if (answered !== null) {
      say();
      text = questionsIn(part);
      say();
      sink.said({ role: 'user', text: answered, uuid: null });
    } else if (part.kind === 'thinking')
      sink.thought?.(
        asText(part.value) ??
          asList(part.value)
            .flatMap((one) => asText(one) ?? [])
            .join('\n'),
      );
    else if (part.kind === 'toolInvocationSerialized' || part.kind === 'textEditGroup') {
      say();
      tellCall(part, calls, sink);
    }
  }
  say();
}

function questionsIn(part: Row): string {
  return partsOf(part.questions)
    .map(({ message, title }) => asText(message) ?? asText(asRecord(message)?.value) ?? asText(title) ?? '')
    .join('\n');
}

/** What the user answered to questions or to a plan: typed words, and the options that were chosen. */
function answersIn(part: Row): string | null {
  if (part.kind === 'planReview') return asText(asRecord(part.data)?.feedback);
  if (part.kind !== 'questionCarousel' || part.autoReply === true) return null;
  const options = partsOf(part.questions).flatMap((question) => partsOf(question.options));
  const labelOf = (value: string) => asText(options.find((one) => one.value === value)?.label) ?? value;
  const answers = Object.values(asRecord(part.data) ?? {}).flatMap((answer) => {
    const { selectedValue, selectedValues, freeformValue } = asRecord(answer) ?? { freeformValue: answer };
    const chosen = [selectedValue, ...asList(selectedValues)].flatMap((one) => asText(one) ?? []);
    return [...chosen.map(labelOf), asText(freeformValue) ?? ''].filter((one) => one !== '').join(', ');
  });
  return answers.filter((one) => one !== '').join('\n');
}

/** Null for a part that is no text. */
function saidBy(part: Row): string | null {
  if (part.kind === undefined || part.kind === 'markdownContent')
    return asText(part.value) ?? asText(asRecord(part.content)?.value) ?? '';
  if (part.kind === 'markdownVuln') return asText(asRecord(part.content)?.value);
  if (part.kind !== 'inlineReference') return null;
  const reference = asRecord(part.inlineReference);
  const uri = reference?.uri ?? asRecord(reference?.location)?.uri ?? reference;
  return asText(part.name) ?? asText(reference?.name) ?? pathOfUri(uri)?.replace(/^.*[\\/]/, '') ?? '';
}

function tellCall(part: Row, calls: KnownCalls, sink: RecordSink): void {
  const call = callOf(part, calls);
  if (call === null) return;
  sink.called(call);
  const result = outputOf(part, calls);
  if (call.id !== null && result !== null) sink.resulted({ id: call.id, ...result, images: [] });
}

/** See RowFormat; the kinds of parts that versions up to November 2026 write. */
export function unknownIn(row: Row): Row[] {
  const parts = row.role === 'assistant' ? partsOf(asRecord(row.request)?.response) : [];
  return parts.filter(({ kind }) => kind !== undefined && !KINDS.has(asText(kind) ?? ''));
}

const KINDS = new Set(
  (
    'markdownContent markdownVuln inlineReference thinking toolInvocation toolInvocationSerialized textEdit textEditGroup ' +
    'questionCarousel planReview usage treeData multiDiffData usedContext reference references codeCitation codeCitations ' +
    'progressMessage systemNotification progressTask progressTaskSerialized progressTaskResult command warning info ' +
    'notebookEdit notebookEditGroup workspaceEdit externalEdit move codeblockUri confirmation clearToPreviousToolInvocation ' +
    'prepareToolInvocation extensions pullRequest undoStop voiceProgress elicitation elicitation2 elicitationSerialized ' +
    'mcpServersStarting mcpAuthenticationRequired mcpServersStartingSlow hook externalToolInvocationUpdate ' +
    'disabledClaudeHooks autoModeResolution todoList'
  ).split(' '),
);
