import { append } from './append-turn.ts';
import type { Bench } from './bench.ts';
import { indexAgain, searchCold } from './cold-processes.ts';
import { embed, embedMemory } from './embed.ts';
import { indexClaude, indexCodex } from './index-cold.ts';
import { qdrant } from './qdrant.ts';
import { serveDouble } from './qdrant-server.ts';
import { redact } from './redact.ts';
import { search } from './search-corpus.ts';
import { fillers, search50k, search200k } from './search-generated.ts';

export const BENCHES: Bench[] = [
  indexClaude,
  indexCodex,
  indexAgain,
  append,
  redact,
  search,
  searchCold,
  search50k,
  search200k,
  qdrant,
  embed,
  embedMemory,
];

/** Run by other benches only. */
export const HELPERS: Bench[] = [...fillers, serveDouble];
