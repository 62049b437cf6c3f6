/** The part of `process.stdin` used here. */
export interface Stdin {
  isTTY?: boolean;
  on(event: 'data', listener: (chunk: Buffer) => void): unknown;
  on(event: 'end' | 'error' | 'close', listener: () => void): unknown;
  destroy(): unknown;
}

const MAX_BYTES = 1024 * 1024;
const MAX_MS = 500;
/** How long to wait for the end of stdin after complete input: if it is closed sooner, the writer gets an error. */
const AFTERWARDS_MS = 50;
const CLOSING_BRACE = 125;

/** Reads at most 1 MB for at most half a second; empty for a terminal and for stdin that cannot be read. */
export async function readBounded(open: () => Stdin): Promise<string> {
  try {
    const stdin = open();
    return stdin.isTTY === true ? '' : await collect(stdin);
  } catch {
    // Some kinds of stdin cannot be opened.
    return '';
  }
}

function collect(stdin: Stdin): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const finish = (): void => {
      clearTimeout(timer);
      stdin.destroy();
      resolve(Buffer.concat(chunks).subarray(0, MAX_BYTES).toString('utf8'));
    };
    let timer = setTimeout(finish, MAX_MS);
    stdin.on('data', (chunk) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= MAX_BYTES) finish();
      else if (isWhole(chunk, chunks)) {
        clearTimeout(timer);
        timer = setTimeout(finish, AFTERWARDS_MS);
      }
    });
    for (const event of ['end', 'error', 'close'] as const) stdin.on(event, finish);
  });
}

function isWhole(last: Buffer, chunks: Buffer[]): boolean {
  if (!last.subarray(-2).includes(CLOSING_BRACE)) return false;
  try {
    JSON.parse(Buffer.concat(chunks).toString('utf8'));
    return true;
  } catch {
    // The brace was inside the text, so more input follows.
    return false;
  }
}
