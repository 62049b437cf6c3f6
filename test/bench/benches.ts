import type { Bench } from './bench.ts';
import { indexAgain, searchCold } from './cold-processes.ts';
import { indexClaude, indexCodex } from './index-cold.ts';

export const BENCHES: Bench[] = [indexClaude, indexCodex, indexAgain, searchCold];
