// Floor of indexing: reads every transcript in the given folders and parses every line.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

let lines = 0;
for (const folder of process.argv.slice(2)) {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.jsonl')) continue;
    for (const line of readFileSync(join(folder, name), 'utf8').split('\n')) {
      if (line === '') continue;
      try {
        JSON.parse(line);
      } catch {
        // Real transcripts contain a few lines that are not JSON.
      }
      lines += 1;
    }
  }
}
process.stdout.write(`${lines}\n`);
