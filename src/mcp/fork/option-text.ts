import { type ForkOption, optionLine } from '../../domain/search/fork-options.ts';
import { shortId } from '../../domain/session/session-id.ts';
import type { ForkResult } from './fork-result.ts';

/** An option on one line; only those with a number have a certainty. */
export function optionText(option: ForkOption<ForkResult>, nowMs: number): string {
  if (option.kind === 'session') return sessionLine(option.result, nowMs);
  return option.kind === 'more' ? `${option.name} (${option.count})` : option.name;
}

export function sessionLine(result: ForkResult, nowMs: number): string {
  return optionLine(result, { nowMs, shortId });
}
