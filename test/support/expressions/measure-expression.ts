import { createContext, Script } from 'node:vm';
import { type SlowText, slowTexts, textOf } from './slow-texts.ts';

const SHORT = 4096;
/** A suspect is measured on texts of these lengths, each eight times as long as the one before. */
const LENGTHS = [8192, 65_536, 524_288];
/** Eight times the text may take at most this much longer; a quadratic expression takes 64 times as long. */
const MAX_RATIO = 24;
/** Less is noise. A linear expression takes a tenth of it for a short text. */
const SUSPECT_MS = 2;
const MEASURABLE_MS = 30;
/** A quadratic expression takes seconds for 65,536 characters. */
const LIMIT_MS = 500;

interface Measured {
  source: string;
  flags: string;
  isRepeated: boolean;
}

/** Describes the text for which an expression takes more than linear time; null if there is none. */
export function findSlowText({ source, flags, isRepeated }: Measured): string | null {
  const expression = new RegExp(source, isRepeated && !flags.includes('g') ? `${flags}g` : flags);
  const search = (text: string) => {
    expression.lastIndex = 0;
    if (expression.global) text.replace(expression, '');
    else expression.exec(text);
  };
  for (const slow of suspects(slowTexts(source, flags), search)) {
    const times = timesOf(slow, search);
    if (times === null) continue;
    const { before, part, after } = slow;
    const took = times.map((time, at) => `${time.toFixed(1)} ms for ${LENGTHS[at]} characters`).join(', ');
    return `${JSON.stringify(before)} + ${JSON.stringify(part)} repeated + ${JSON.stringify(after)}: ${took}`;
  }
  return null;
}

/** The times for texts of growing length; null if they grow as the texts do. A machine that is busy for a moment disturbs one of them. */
function timesOf(slow: SlowText, search: (text: string) => void): number[] | null {
  const times: number[] = [];
  for (const length of LENGTHS) {
    const before = times.at(-1);
    const time = bestOf(textOf(slow, length), search);
    times.push(time);
    if (before === undefined) continue;
    if (time >= LIMIT_MS) return times;
    if (time < MEASURABLE_MS || time <= before * MAX_RATIO) return null;
  }
  return times;
}

/** The texts that take long, the slowest first. */
function suspects(texts: SlowText[], search: (text: string) => void): SlowText[] {
  const found: { slow: SlowText; time: number }[] = [];
  let at = 0;
  let spent = processorTime();
  const look = () => {
    for (; at < texts.length; at += 1) {
      const slow = texts[at] as SlowText;
      const text = textOf(slow, SHORT);
      spent = processorTime();
      const time = timeOf(text, search);
      if (time > SUSPECT_MS) found.push({ slow, time: Math.min(time, timeOf(text, search)) });
    }
  };
  for (let patience = LIMIT_MS; !ends(look, patience); patience *= 2) {
    // Exponential time: nothing else needs to be tried.
    if (spent() > LIMIT_MS / 4) return [texts[at] as SlowText];
    if (found.some(({ time }) => time > LIMIT_MS / 10)) break;
  }
  return found
    .filter(({ time }) => time > SUSPECT_MS)
    .sort((a, b) => b.time - a.time)
    .slice(0, 3)
    .map(({ slow }) => slow);
}

/** Processor time in milliseconds, the least of three attempts; the limit if the search had to be interrupted. */
function bestOf(text: string, search: (text: string) => void): number {
  let best = LIMIT_MS;
  let patience = LIMIT_MS;
  for (let attempt = 0; attempt < 3; ) {
    const spent = processorTime();
    const isDone = ends(() => search(text), patience);
    if (isDone) {
      best = Math.min(best, spent());
      attempt += 1;
    } else if (spent() > LIMIT_MS / 2) return best;
    // The machine is busy with something else.
    else patience *= 2;
  }
  return best;
}

/** Measures the processor time from now on, in milliseconds. */
function processorTime(): () => number {
  const started = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(started);
    return (user + system) / 1000;
  };
}

function timeOf(text: string, search: (text: string) => void): number {
  const started = performance.now();
  search(text);
  return performance.now() - started;
}

const CALL = new Script('work()');

/** Whether some work ends within a time; it is interrupted if not. */
function ends(work: () => void, timeout: number): boolean {
  try {
    CALL.runInContext(createContext({ work }), { timeout });
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false;
    throw error;
  }
}
