import type { Bench } from './bench.ts';
import { append } from './measures/append-turn.ts';
import { indexAgain, searchCold } from './measures/cold-processes.ts';
import { embed, embedMemory } from './measures/embed.ts';
import { extractIdeas } from './measures/extract-ideas.ts';
import { indexClaude, indexCodex } from './measures/index-cold.ts';
import { indexMemory } from './measures/index-memory.ts';
import { mcpTokens } from './measures/mcp-tokens.ts';
import { prd } from './measures/prd.ts';
import { redact } from './measures/redact.ts';
import { search } from './measures/search-corpus.ts';
import { fillers, search50k, search200k } from './measures/search-generated.ts';
import { searchGrowth } from './measures/search-growth.ts';
import { searchServed, serveLoad } from './measures/served.ts';
import { suggest } from './measures/suggest.ts';
import { qdrant } from './qdrant/qdrant.ts';
import { serveDouble } from './qdrant/qdrant-server.ts';

export const BENCHES: Bench[] = [
  indexClaude,
  indexCodex,
  indexMemory,
  indexAgain,
  append,
  redact,
  extractIdeas,
  search,
  searchCold,
  searchServed,
  serveLoad,
  suggest,
  mcpTokens,
  search50k,
  search200k,
  searchGrowth,
  qdrant,
  prd,
  embed,
  embedMemory,
];

/** Only run by other benches. */
export const HELPERS: Bench[] = [...fillers, serveDouble];
