import { createStream } from 'rotating-file-stream';
import type { Log, LogFields } from '../../ports/machine.ts';
import { makeFolder } from '../system/make-folder.ts';

const SIZE = '1M';
const FILES = 4;

/** A log in `<folder>/<name>.log`, one line per entry. Rotated files are `<name>.1.log` and so on, 4 MB in total. */
export function openRotatingLog(folder: string, name: string): Log {
  makeFolder(folder);
  const nameOf = (index: number | Date | null) => (index === null ? `${name}.log` : `${name}.${index}.log`);
  const stream = createStream(nameOf, { path: folder, size: SIZE, rotate: FILES - 1, mode: 0o600 });
  let broken = false;
  // A log that cannot be written must not stop the worker.
  stream.on('error', () => {
    broken = true;
  });
  const write = (level: string, message: string, fields: LogFields) => {
    if (!broken) stream.write(`${new Date().toISOString()} ${level} ${message}${textOf(fields)}\n`);
  };
  return {
    info: (message, fields = {}) => write('info', message, fields),
    error: (message, fields = {}) => write('error', message, fields),
    close: () =>
      new Promise((resolve) => {
        if (broken) resolve();
        else {
          stream.once('error', () => resolve());
          stream.end(() => resolve());
        }
      }),
  };
}

function textOf(fields: LogFields): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => ` ${name}=${typeof value === 'string' ? JSON.stringify(value) : value}`)
    .join('');
}
