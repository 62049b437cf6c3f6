// Answers an MCP client while smart-fork is being prepared, then hands the conversation to the real server. A client waits half
// a minute for a server; without an answer the tools are missing until the user reconnects.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const POLL_MS = 250;

/** What the real server answers to `initialize` and `tools/list`; a test keeps the file equal to it. */
const answers = JSON.parse(readFileSync(new URL('answers.json', import.meta.url), 'utf8'));

/**
 * @param {{ state: () => 'preparing' | 'done' | 'failed', tell: () => string }} preparation
 * @param {() => import('node:child_process').ChildProcess} startServer
 */
export function answerMeanwhile(preparation, startServer) {
  /** The requests that the real server must receive too, because it needs to know the client. */
  const introduction = [];
  let server;
  const lines = createInterface({ input: process.stdin });
  const timer = setInterval(() => {
    if (preparation.state() === 'preparing') return;
    clearInterval(timer);
    if (preparation.state() === 'done') server = introduce(startServer(), introduction);
  }, POLL_MS);
  lines.on('line', (line) => {
    if (server !== undefined) return server.stdin.write(`${line}\n`);
    const message = parse(line);
    if (message.method === 'initialize' || message.method === 'notifications/initialized')
      introduction.push(line);
    if (message.id === undefined || message.method === undefined) return;
    const answer = answerTo(message, preparation);
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: message.id, ...answer })}\n`);
  });
  // The client has gone. It cannot be told, and whoever reads the log needs no stack trace.
  process.stdout.on('error', () => lines.close());
  lines.on('close', () => {
    clearInterval(timer);
    server?.stdin.end();
  });
}

/** Repeats to the server how the client introduced itself. The client has its answer: the server's own is dropped. */
function introduce(child, introduction) {
  let isFirst = introduction.length > 0;
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (!isFirst) process.stdout.write(`${line}\n`);
    isFirst = false;
  });
  child.on('exit', () => process.stdin.destroy());
  child.stdin.on('error', () => undefined);
  for (const line of introduction) child.stdin.write(`${line}\n`);
  return child;
}

function parse(line) {
  try {
    return JSON.parse(line) ?? {};
  } catch {
    // Not a message.
    return {};
  }
}

function answerTo({ method, params }, preparation) {
  if (method === 'initialize') return { result: { ...answers.initialize, ...protocolFor(params) } };
  if (method === 'tools/list') return { result: answers.tools };
  if (method === 'ping') return { result: {} };
  if (method === 'resources/list') return { result: { resources: [] } };
  if (method === 'resources/templates/list') return { result: { resourceTemplates: [] } };
  if (method === 'tools/call')
    return { result: { isError: true, content: [{ type: 'text', text: preparation.tell() }] } };
  return { error: { code: -32601, message: 'Method not found' } };
}

function protocolFor(params) {
  const wanted = params?.protocolVersion;
  return answers.protocols.includes(wanted) ? { protocolVersion: wanted } : {};
}
