import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export interface AppServer {
  request(method: string, params: object): Promise<Record<string, unknown>>;
  close(): void;
}

/** Codex's app server for editors, which speaks JSON-RPC in lines and works without a login. */
export async function startAppServer(
  codex: string,
  env: Record<string, string>,
  cwd: string,
): Promise<AppServer> {
  const child = spawn(codex, ['app-server'], { env, cwd, stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Map<
    number,
    { resolve(value: Record<string, unknown>): void; reject(error: Error): void }
  >();
  let last = 0;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, result, error } = JSON.parse(line);
    const one = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) one?.resolve(result);
    else one?.reject(new Error(error.message));
  });
  const send = (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`);
  const request: AppServer['request'] = (method, params) =>
    new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, { resolve, reject });
      send({ id: last, method, params });
    });
  await request('initialize', { clientInfo: { name: 'test', title: 'test', version: '1' } });
  send({ method: 'initialized' });
  return {
    request,
    close: () => {
      child.stdin.end();
      child.kill();
    },
  };
}
