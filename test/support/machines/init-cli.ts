import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { runProgram } from './run-program.ts';

export { PROGRAM } from './run-program.ts';

/** A home with Claude sample sessions, deleted by `remove`. */
export class ThrowawayHome {
  readonly folder = mkdtempSync(join(tmpdir(), 'smart-fork-home-'));
  readonly bin = join(this.folder, 'bin');

  constructor({ sessions = false }: { sessions?: boolean } = {}) {
    mkdirSync(this.bin);
    if (sessions) cpSync('examples/claude', this.at('.claude'), { recursive: true });
  }

  at(path: string): string {
    return join(this.folder, path);
  }

  read(path: string): string {
    return readFileSync(this.at(path), 'utf8');
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(this.at(path)), { recursive: true });
    writeFileSync(this.at(path), text);
  }

  /** Every file except smart-fork's own, with its bytes. */
  snapshot(path = '.'): Record<string, string> {
    if (!existsSync(this.at(path))) return {};
    const found = readdirSync(this.at(path), { withFileTypes: true, recursive: true });
    const files = found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    return Object.fromEntries(
      files
        .filter((file) => !file.startsWith(this.at('.smart-fork')))
        .sort()
        .map((file) => [file, readFileSync(file, 'latin1')]),
    );
  }

  environment(more: Record<string, string> = {}): Record<string, string> {
    const path = [this.bin, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter);
    return {
      HOME: this.folder,
      PATH: path,
      NO_COLOR: '1',
      COLUMNS: '200',
      SMART_FORK_MACHINE: 'here',
      ...more,
    };
  }

  async cli(words: string[], more: Record<string, string> = {}) {
    const { status, stdout, stderr } = await runProgram(words, {
      cwd: this.folder,
      env: this.environment(more),
    });
    return { code: status, out: stdout, err: stderr };
  }

  run(
    program: string,
    words: string[],
    more: Record<string, string> = {},
    { cwd = this.folder, input = '' }: { cwd?: string; input?: string } = {},
  ) {
    const { status, stdout, stderr } = spawnSync(program, words, {
      cwd,
      env: this.environment(more),
      encoding: 'utf8',
      input,
      timeout: 90_000,
    });
    return { code: status, out: stdout, err: stderr };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
