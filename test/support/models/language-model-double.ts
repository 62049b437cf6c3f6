import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LanguageModelDouble {
  /** The URL for memory.endpoint. */
  url: string;
  /** The requests' bodies and headers. */
  requests: { text: string; format: boolean; authorization: string | undefined }[];
  /** The next answer; tests change it. A text is the content of a completion. */
  say: Says;
  close(): Promise<void>;
}

export type Says = (
  text: string,
  call: number,
) => string | { status: number; body?: string; location?: string } | 'hang' | 'flood';

/** A server with OpenAI's chat completions API that gives the answers set by the test. */
export async function startLanguageModelDouble(say: Says): Promise<LanguageModelDouble> {
  const double: LanguageModelDouble = { url: '', requests: [], say, close: async () => undefined };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    const asked = JSON.parse(body);
    const text: string = asked.messages.at(-1).content;
    const { authorization } = request.headers;
    double.requests.push({ text, format: asked.response_format !== undefined, authorization });
    const said = double.say(text, double.requests.length);
    if (said === 'hang') return;
    if (said === 'flood') return flood(response);
    if (typeof said !== 'string') {
      response.writeHead(said.status, said.location === undefined ? {} : { location: said.location });
      return response.end(said.body ?? '');
    }
    const usage = { prompt_tokens: 900, completion_tokens: 100, total_tokens: 1000 };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ choices: [{ message: { role: 'assistant', content: said } }], usage }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  double.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  double.close = () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return double;
}

/** 100 MB. */
async function flood(response: ServerResponse): Promise<void> {
  const part = Buffer.alloc(1024 * 1024, 'x');
  response.on('error', () => undefined);
  for (let sent = 0; sent < 100 && !response.destroyed; sent += 1)
    if (!response.write(part))
      await new Promise((resolve) => {
        response.once('drain', resolve);
        response.once('close', resolve);
      });
  response.end();
}
