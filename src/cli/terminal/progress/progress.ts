import type { Progress } from '../../../domain/summary.ts';
import { sanitizeLine } from '../../../domain/text/sanitize.ts';
import { count, duration } from '../../../domain/text/time-text.ts';
import { createInk, type Ink } from '../ink.ts';
import type { Terminal } from '../terminal.ts';
import { displayWidth, truncate } from '../width.ts';
import { filled } from './bar.ts';

interface ProgressReporter {
  update(progress: Progress): void;
  /** Erases the bar. Later calls do nothing. */
  done(): void;
}

interface ProgressOptions {
  /** The activity: "Indexing". */
  verb: string;
  terminal: Terminal;
}

// Not a library: cli-progress has had no release since 2023, and ora's timer stops during a busy loop.

/** Shows progress on stderr: a bar on a terminal, otherwise a line every ten seconds. */
export function createProgress({ verb, terminal }: ProgressOptions): ProgressReporter {
  return terminal.stderr.isTTY ? barReporter(verb, terminal) : lineReporter(verb, terminal);
}

const FRAME_MS = 100;
const LINE_MS = 10_000;
const WIDEST_BAR = 24;
const NARROWEST_BAR = 6;

function barReporter(verb: string, terminal: Terminal): ProgressReporter {
  const throughput = createThroughput();
  const line = createStatusLine(terminal);
  let latest: Progress | null = null;
  let paintedAt = Number.NEGATIVE_INFINITY;
  let pending: NodeJS.Timeout | undefined;
  let finished = false;

  const paint = () => {
    clearTimeout(pending);
    pending = undefined;
    if (!latest) return;
    paintedAt = performance.now();
    line.show(barLine(verb, latest, throughput, createInk(terminal.errorLook)));
  };
  return {
    update(progress) {
      if (finished) return;
      latest = progress;
      throughput.add(progress.done, performance.now());
      const wait = paintedAt + FRAME_MS - performance.now();
      if (wait <= 0) paint();
      else pending ??= setTimeout(paint, wait).unref();
    },
    done() {
      finished = true;
      clearTimeout(pending);
      line.erase();
    },
  };
}

function lineReporter(verb: string, terminal: Terminal): ProgressReporter {
  const throughput = createThroughput();
  let printedAt = performance.now();
  let finished = false;
  return {
    update(progress) {
      const now = performance.now();
      throughput.add(progress.done, now);
      if (finished || now - printedAt < LINE_MS) return;
      printedAt = now;
      const pace = paceOf(progress, throughput);
      terminal.err(`${whatOf(verb, progress)}${pace ? ` (${pace})` : ''}`);
    },
    done() {
      finished = true;
    },
  };
}

/** "Indexing session 47 of 342 ▕███    ▏ 38/s, 8 s left"; parts that do not fit are dropped from the right. */
function barLine(verb: string, progress: Progress, throughput: Throughput, ink: Ink): string {
  // Writing in the last column makes some terminals wrap.
  const width = ink.columns - 1;
  const what = whatOf(verb, progress);
  const pace = paceOf(progress, throughput);
  const room = width - displayWidth(what) - 4;
  const barRoom = Math.min(WIDEST_BAR, room - (pace ? displayWidth(pace) + 1 : 0));
  const parts = [what];
  if (progress.total > 0 && barRoom >= NARROWEST_BAR)
    parts.push(bar(progress.done / progress.total, barRoom, ink));
  if (pace) parts.push(pace);
  const line = parts.join(' ');
  if (displayWidth(line) > width) return truncate(what, width, ink.symbols.ellipsis);
  const left = width - displayWidth(line);
  const { label } = progress;
  return label && left > 12 ? line + truncate(`  ${sanitizeLine(label)}`, left, ink.symbols.ellipsis) : line;
}

function bar(share: number, width: number, { symbols }: Ink): string {
  return `${symbols.barLeft}${filled(share, width, symbols.blocks).padEnd(width, symbols.barEmpty)}${symbols.barRight}`;
}

function whatOf(verb: string, { unit, done, total }: Progress): string {
  const some = total > 0 ? `${count(done)} of ${count(total)}` : count(done);
  return isMeasure(unit) ? `${verb} ${some} ${unit}` : `${verb} ${unit} ${some}`;
}

function paceOf({ unit, done, total }: Progress, throughput: Throughput): string {
  const rate = throughput.perSecond();
  if (rate === null) return '';
  const number = rate >= 10 ? count(rate) : rate.toFixed(1).replace('.0', '');
  const pace = isMeasure(unit) ? `${number} ${unit}/s` : `${number}/s`;
  return total > done ? `${pace}, ${timeLeft(((total - done) / rate) * 1000)} left` : pace;
}

function timeLeft(ms: number): string {
  return duration(
    Math.max(1000, ms < 60_000 ? Math.ceil(ms / 1000) * 1000 : Math.ceil(ms / 10_000) * 10_000),
  );
}

/** "47 of 342 MB", but "session 47 of 342". */
function isMeasure(unit: string): boolean {
  return /^[kMGT]?B$/.test(unit);
}

/** A line on stderr that is overwritten in place and erased at the end. */
interface StatusLine {
  show(text: string): void;
  erase(): void;
}

function createStatusLine({ stderr, errorLook }: Terminal): StatusLine {
  let shown = '';
  const show = (text: string) => {
    // A single write keeps the line from flickering.
    stderr.write((shown ? eraseSequence(shown, errorLook.columns) : '') + text);
    shown = text;
  };
  return {
    show,
    erase() {
      if (shown) show('');
    },
  };
}

/** In a narrowed terminal the line has wrapped, so this goes up to its first row and clears from there. */
function eraseSequence(shown: string, columns: number): string {
  const rows = Math.max(1, Math.ceil(displayWidth(shown) / columns));
  return `${rows > 1 ? `\x1b[${rows - 1}A` : ''}\r\x1b[J`;
}

const WINDOW_MS = 10_000;
const SAMPLE_MS = 100;
const SETTLED_MS = 1000;

interface Throughput {
  /** Records the total `done` at `now`, in milliseconds. */
  add(done: number, now: number): void;
  /** Rate over the last ten seconds. Null in the first second and during a stall. */
  perSecond(): number | null;
}

function createThroughput(): Throughput {
  const samples: { done: number; at: number }[] = [];
  let last = { done: 0, at: 0 };
  return {
    add(done, now) {
      if (done < last.done) samples.length = 0;
      last = { done, at: now };
      const newest = samples.at(-1);
      if (!newest || now - newest.at >= SAMPLE_MS) samples.push(last);
      while (samples.length > 2 && now - (samples[0]?.at ?? now) > WINDOW_MS) samples.shift();
    },
    perSecond() {
      const first = samples[0];
      if (!first || last.at - first.at < SETTLED_MS || last.done <= first.done) return null;
      return ((last.done - first.done) / (last.at - first.at)) * 1000;
    },
  };
}
