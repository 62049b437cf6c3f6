import { append } from './append-turn.ts';
import type { Bench } from './bench.ts';
import { indexAgain, searchCold } from './cold-processes.ts';
import { embed, embedMemory } from './embed.ts';
import { indexClaude, indexCodex } from './index-cold.ts';

import { search } from './search-corpus.ts';

export const BENCHES: Bench[] = [
  indexClaude,
  indexCodex,
  indexAgain,
  append,
  search,
  searchCold,
  embed,
  embedMemory,
];
