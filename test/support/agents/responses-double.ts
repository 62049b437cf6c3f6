import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

export interface ResponsesDouble {
  /** Options that make Codex use this server. */
  options: string[];
  /** The bodies of the requests. */
  requests: string[];
  close(): void;
}

/** A server with OpenAI's responses API, as Codex calls it, that always gives the same answer. */
export async function startResponses(said: string): Promise<ResponsesDouble> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      if (request.method !== 'POST' || !request.url?.endsWith('/responses')) {
        response.writeHead(404).end();
        return;
      }
      const body = Buffer.concat(parts);
      requests.push((request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString());
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const event of answerEvents(said))
        response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const provider = `{name="stand-in",base_url="${url}",wire_api="responses",requires_openai_auth=false,supports_websockets=false}`;
  return {
    options: ['-c', 'model_provider="stand-in"', '-c', `model_providers.stand-in=${provider}`],
    requests,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function answerEvents(text: string): ({ type: string } & Record<string, unknown>)[] {
  const content = [{ type: 'output_text', text, annotations: [] }];
  const item = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content };
  const usage = {
    input_tokens: 900,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 100,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 1000,
  };
  const response = { id: 'resp_1', object: 'response', status: 'completed', output: [item], usage };
  return [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response },
  ];
}
