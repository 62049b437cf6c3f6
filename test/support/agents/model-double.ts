import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { isRecord } from '../../../src/domain/is-record.ts';

/** A server on loopback with the interfaces of several model providers. It answers `PONG 1`, `PONG 2` … */
export interface ModelDouble {
  url: string;
  /** The texts of the conversation in each request since the last call, without what the agent's program adds. */
  takeConversations(): string[][];
  close(): void;
}

export async function startModel(): Promise<ModelDouble> {
  let requests: unknown[] = [];
  let answered = 0;
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      const raw = Buffer.concat(parts);
      const text = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw).toString('utf8');
      const body: unknown = text === '' ? null : JSON.parse(text);
      const answer = answerTo(request.url ?? '', body, () => `PONG ${++answered}`);
      if (answer === null) return response.writeHead(404).end('{}');
      requests.push(body);
      response.writeHead(200, { 'content-type': answer.streams ? 'text/event-stream' : 'application/json' });
      return response.end(answer.text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    takeConversations() {
      const taken = requests.map(conversationIn);
      requests = [];
      return taken;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

interface Answer {
  streams: boolean;
  text: string;
}

function answerTo(url: string, body: unknown, next: () => string): Answer | null {
  if (url.includes('enerateContent')) return geminiAnswer(next(), url.includes('stream'), body);
  if (url.includes('/chat/completions')) return chatAnswer(next(), isRecord(body) && body.stream === true);
  if (url.includes('/responses')) return events(responseEvents(next()));
  if (url.includes('/messages') && !url.includes('count')) return events(messageEvents(next()));
  return null;
}

function geminiAnswer(said: string, streams: boolean, body: unknown): Answer {
  const asksForJson = JSON.stringify(body).includes('"responseMimeType":"application/json"');
  const text = asksForJson ? '{"reasoning":"x","next_speaker":"user"}' : said;
  const candidates = [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP', index: 0 }];
  const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 2, totalTokenCount: 12 };
  const answer = JSON.stringify({ candidates, usageMetadata });
  return { streams, text: streams ? `data: ${answer}\n\n` : answer };
}

function chatAnswer(content: string, streams: boolean): Answer {
  const usage = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 };
  const shared = { id: 'c', created: 1, model: 'stand-in' };
  if (!streams) {
    const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }];
    return { streams, text: JSON.stringify({ ...shared, object: 'chat.completion', choices, usage }) };
  }
  const chunk = (delta: object, finish_reason: string | null) =>
    JSON.stringify({
      ...shared,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason }],
      usage: finish_reason === null ? undefined : usage,
    });
  const chunks = [chunk({ role: 'assistant', content }, null), chunk({}, 'stop'), '[DONE]'];
  return { streams, text: chunks.map((one) => `data: ${one}\n\n`).join('') };
}

function events(list: ({ type: string } & Record<string, unknown>)[]): Answer {
  return {
    streams: true,
    text: list.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
  };
}

function responseEvents(text: string) {
  const content = [{ type: 'output_text', text, annotations: [] }];
  const item = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content };
  const usage = {
    input_tokens: 9,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 1,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 10,
  };
  const response = { id: 'resp_1', object: 'response', status: 'completed', output: [item], usage };
  return [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response },
  ];
}

function messageEvents(text: string) {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'x',
    content: [],
    stop_reason: null,
  };
  return [
    { type: 'message_start', message: { ...message, usage } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage },
    { type: 'message_stop' },
  ];
}

function conversationIn(body: unknown): string[] {
  if (!isRecord(body)) return [];
  const list = [body.messages, body.contents, body.input].find(Array.isArray) ?? [];
  return list.flatMap((message: unknown) => {
    if (!isRecord(message) || ['system', 'developer', 'tool'].includes(String(message.role))) return [];
    const role = message.role === 'user' ? 'user' : 'assistant';
    const texts = textsOf(message.content ?? message.parts).map(ownWords);
    return texts.filter((text) => text !== '').map((text) => `${role}: ${text}`);
  });
}

function textsOf(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  if (!Array.isArray(content)) return [];
  return content.flatMap((part: unknown) =>
    isRecord(part) && typeof part.text === 'string' ? part.text : [],
  );
}

/** Without the wrappers in which programs tell the model of the environment, and without quotes around a prompt. */
function ownWords(text: string): string {
  const bare = text.replaceAll(/<(\w[\w-]*)>[\s\S]*?<\/\1>/g, '').trim();
  return PREAMBLE.test(bare) ? '' : bare.replace(/^"(.*)"$/s, '$1');
}

/** What Qwen Code says to the model before each conversation, and the model's answer in its words. */
const PREAMBLE = /^(?:This is the Qwen Code\. We are setting up|Got it\. Thanks for the context!$)/;
