import { tellOnceADay } from '../../app/search/results/tell-once-a-day.ts';
import { SmartForkError } from '../../domain/errors.ts';
import { partNotices } from '../../domain/outage.ts';
import type { SearchMode } from '../../domain/search/search.ts';
import type { Notice, SearchResponse } from '../../domain/search-result.ts';
import type { Given } from '../../operations/fields.ts';
import { perform } from '../../operations/operation.ts';
import { search as operation } from '../../operations/search/search.ts';
import type { Wording } from '../../operations/wording.ts';
import { openCall } from '../operation-tool.ts';
import { type Guidance, guidanceText, guide } from '../text/guidance.ts';
import type { Call } from '../tool.ts';
import { type Detail, toForkResult } from './fork-result.ts';
import { type Selection, selectionText } from './selection-text.ts';

export type SearchGiven = Given<typeof operation.fields> & { query: string };

interface DetectOptions {
  detail: Detail;
  /** The session that asks, as its agent says; null if it does not say. */
  current: string | null;
}

export interface Detection extends Selection {
  confidence: number | null;
  mode: SearchMode | null;
  project: string | null;
  warnings: string[];
  /** What the answer lacks. */
  outages: Notice[];
  /** If nothing could be searched. */
  guidance: Guidance | null;
  text: string;
}

const SLOW_MS = 2000;

/** Searches. If nothing can be searched, says what to do and lists the newest sessions instead. */
export async function detectSessions(
  given: SearchGiven,
  { detail, current }: DetectOptions,
  wording: Wording<typeof operation.fields>,
  call: Call,
): Promise<Detection> {
  const { open, caller } = openCall(call, operation.fields, wording);
  const asker = { ...caller, running: [...caller.running, current ?? []].flat() };
  const stopTelling = tellWhileSlow(call);
  const guidance = (error: SmartForkError | null) =>
    guide(call, error, {
      agent: given.agent,
      project: given.repo ?? null,
      limit: given.limit ?? open.settings.maxResults,
      exclude: asker.running,
    });
  try {
    const response = await perform(operation, open, given, asker);
    const isEmpty =
      response.results.length === 0 && (await (await open.store()).list({}, 1)).sessions.length === 0;
    if (isEmpty) return describeGuidance(given, await guidance(null), call);
    return describe(given, response, detail, call);
  } catch (error) {
    if (!(error instanceof SmartForkError) || !error.code.startsWith('STORE_')) throw error;
    return describeGuidance(given, await guidance(error), call);
  } finally {
    stopTelling();
  }
}

/** Loading the model may take a few seconds. */
function tellWhileSlow(call: Call): () => void {
  const started = Date.now();
  const timer = setInterval(() => {
    const seconds = Math.round((Date.now() - started) / 1000);
    call.progress(`Search is taking longer than expected... (${seconds} s)`, seconds);
  }, SLOW_MS).unref();
  return () => clearInterval(timer);
}

function describe(
  { query, repo, snippet }: SearchGiven,
  response: SearchResponse,
  detail: Detail,
  call: Call,
): Detection {
  const now = call.parts.machine.now();
  const {
    confidence,
    mode,
    understood,
    preferred = null,
    together = null,
    fit = null,
    words = [],
  } = response;
  const shown = { detail, isMeasured: snippet !== undefined };
  const results = response.results.map((result) => toForkResult(result, shown, call));
  const { first: outages, others } = partNotices(response.notices);
  const warnings = tellOnceADay(others, call.parts.searchNotes, now).map(({ message, hint }) =>
    hint === undefined ? message : `${message} (${hint})`,
  );
  const selection = { query, understood, preferred, together, fit, results, words };
  return {
    ...selection,
    confidence,
    mode,
    project: repo ?? null,
    warnings,
    outages,
    guidance: null,
    text: selectionText(selection, now),
  };
}

function describeGuidance({ query, repo }: SearchGiven, guidance: Guidance, call: Call): Detection {
  return {
    query,
    results: [],
    confidence: null,
    understood: [],
    mode: null,
    project: repo ?? null,
    preferred: null,
    together: null,
    fit: null,
    warnings: [],
    outages: [],
    words: [],
    guidance,
    text: guidanceText(guidance, call.parts.machine.now()),
  };
}
