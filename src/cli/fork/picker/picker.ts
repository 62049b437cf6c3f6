import { createPrompt, useEffect, useKeypress, useRef, useState } from '@inquirer/core';
import type { SessionDescription } from '../../../app/read/describe-session.ts';
import { errorText } from '../../../domain/errors.ts';
import type { Fit } from '../../../domain/search/certainty.ts';
import type { SearchResult } from '../../../domain/search-result.ts';
import { createInk } from '../../terminal/ink.ts';
import { wasCancelled } from '../../terminal/prompt.ts';
import type { OutputStream, Terminal } from '../../terminal/terminal.ts';
import type { Key } from './key.ts';
import {
  type Picked,
  type PickerState,
  resultInView,
  type Scope,
  startState,
  withResults,
} from './picker-state.ts';
import { press } from './press-key.ts';
import { screenLines, storyWidth } from './screen.ts';
import { type Marks, type StoryLine, storyLines } from './story-lines.ts';

export interface Found {
  results: SearchResult[];
  /** See SearchResponse, also for the next. */
  preferred?: string;
  fit?: Fit;
  /** Whether a larger search may bring more. */
  more: boolean;
  /** See Ink. */
  shortId(sessionId: string): string;
}

export interface PickerSource extends Found {
  page: PickerState['page'];
  query: string;
  /** Null if the scope cannot be switched. */
  scope: Scope | null;
  nowMs: number;
  describe(result: SearchResult, query: string): Promise<SessionDescription>;
  /** Finds the words of a query in a text. */
  marks(query: string): Marks;
  /** Searches in a scope; without a query, lists the newest sessions. */
  find(query: string, scope: Scope | null): Promise<Found>;
}

/** Shows the selection screen on the terminal's alternate screen, which is always closed afterwards. */
export async function pick(source: PickerSource, terminal: Terminal, signal: AbortSignal): Promise<Choice> {
  const { stderr, stdin } = terminal;
  if (!stdin) return { picked: { kind: 'cancel' }, query: source.query };
  stderr.write(OWN_SCREEN);
  try {
    return await prompt(
      { source, terminal },
      { input: stdin, output: stderr, signal, clearPromptOnDone: true },
    );
  } catch (error) {
    if (wasCancelled(error)) return { picked: { kind: 'cancel' }, query: source.query };
    throw error;
  } finally {
    stderr.write(FORMER_SCREEN);
  }
}

/** What was picked, and what was searched for. */
export interface Choice {
  picked: Picked;
  query: string;
}

const OWN_SCREEN = '\x1b[?1049h\x1b[H\x1b[2J';
const FORMER_SCREEN = '\x1b[?1049l\x1b[?25h';
const CLEAR = '\x1b[H\x1b[2J';
const HIDE_CURSOR = '\x1b[?25l';
/** How long the user must pause before what is typed is searched for. */
const PAUSE_MS = 120;
/** A search that takes longer shows that it is running. */
const SLOW_MS = 300;

interface PickerConfig {
  source: PickerSource;
  terminal: Terminal;
}

const prompt = createPrompt<Choice, PickerConfig>(({ source, terminal }, done) => {
  const { page, query, scope, more, nowMs } = source;
  const [state, setState] = useState<PickerState>(() =>
    startState(source.results, { page, text: query, scope, more }),
  );
  const [found, setFound] = useState<Found>(source);
  const [status, setStatus] = useState<string | null>(null);
  const latest = useRef(state);
  const deepest = useRef(0);
  const asked = useRef(0);
  /** What the choices show while the list is open. */
  const foundBefore = useRef<Found>(source);
  const waiting = useRef<NodeJS.Timeout | undefined>(undefined);
  latest.current = state;
  useResize(terminal.stderr);
  const description = useDescription(state, source, setStatus);
  const ink = createInk({ ...terminal.errorLook, shortId: found.shortId });
  const story = useStory(state, description, (result) =>
    storyLines(result, description, { ink, nowMs, width: storyWidth(ink), marks: source.marks(state.text) }),
  );

  const find = async (text: string, wanted: Scope | null) => {
    asked.current += 1;
    const turn = asked.current;
    const slow = setTimeout(() => turn === asked.current && setStatus('Searching'), SLOW_MS);
    const outcome = await source.find(text, wanted).then(
      (answer) => ({ answer }),
      (error: unknown) => ({ problem: errorText(error) }),
    );
    clearTimeout(slow);
    // The user has typed on.
    if (turn !== asked.current) return;
    if ('problem' in outcome) return setStatus(outcome.problem);
    const { answer } = outcome;
    latest.current = withResults(latest.current, answer.results, { more: answer.more, scope: wanted });
    setState(latest.current);
    setFound(answer);
    setStatus(null);
  };
  /** What an earlier search finds is not shown any more. */
  const stopFinding = () => {
    clearTimeout(waiting.current);
    asked.current += 1;
  };
  const findAfter = (ms: number, next: PickerState, wanted: Scope | null) => {
    stopFinding();
    waiting.current = setTimeout(() => void find(next.text.trim(), wanted), ms);
  };

  useKeypress((event, rl) => {
    rl.clearLine(0);
    const key: Key = event;
    const before = { ...latest.current, scroll: Math.min(latest.current.scroll, deepest.current) };
    const pressed = press(before, key, story);
    const next = pressed.state;
    latest.current = next;
    setState(next);
    if (before.choices === null && next.choices !== null) foundBefore.current = found;
    if (pressed.picked) {
      stopFinding();
      done({ picked: pressed.picked, query: next.text.trim() });
    } else if (pressed.wants === 'scope') findAfter(0, next, next.scope === 'here' ? 'everywhere' : 'here');
    else if (pressed.wants !== undefined)
      findAfter(pressed.wants === 'find now' ? 0 : PAUSE_MS, next, next.scope);
    else if (before.choices !== null && next.choices === null) {
      stopFinding();
      setFound(foundBefore.current);
      setStatus(null);
    }
  });

  const rows = terminal.stderr.rows ?? terminal.rows;
  const screen = screenLines(state, { ...found, nowMs, ink, rows, description, story, status });
  deepest.current = screen.deepest;
  return HIDE_CURSOR + screen.lines.join('\n');
});

/** Redraws when the terminal is resized, because it has wrapped the lines differently. */
function useResize(output: OutputStream): void {
  const [, setSize] = useState('');
  useEffect(() => {
    const onResize = () => {
      output.write(CLEAR);
      setSize(`${output.columns}x${output.rows}`);
    };
    output.on('resize', onResize);
    return () => output.removeListener('resize', onResize);
  }, []);
}

/** Reading a long session takes a while, so it must not start while the user is scrolling past. */
const READ_AFTER_MS = 60;

/** Reads the result in view once it has been in view for a moment; null until then. */
function useDescription(
  state: PickerState,
  source: PickerSource,
  tell: (problem: string) => void,
): SessionDescription | null {
  const [read, setRead] = useState<ReadonlyMap<string, SessionDescription>>(new Map());
  const all = useRef(read);
  const result = state.settled ? resultInView(state) : null;
  const name = result === null ? null : `${result.session_id} ${state.text}`;
  useEffect(() => {
    if (result === null || name === null || all.current.has(name)) return;
    const timer = setTimeout(() => {
      source.describe(result, state.text.trim()).then(
        (description) => {
          all.current = new Map([...all.current, [name, description]]);
          setRead(all.current);
        },
        (error: unknown) => tell(errorText(error)),
      );
    }, READ_AFTER_MS);
    return () => clearTimeout(timer);
  }, [name]);
  return name === null ? null : (read.get(name) ?? null);
}

/** The lines of the session that is read; empty unless one is. Wrapping a long one takes too long to repeat it at every key. */
function useStory(
  state: PickerState,
  description: SessionDescription | null,
  write: (result: SearchResult) => StoryLine[],
): StoryLine[] {
  const written = useRef<{ name: string; lines: StoryLine[] }>({ name: '', lines: [] });
  const result = state.reading === null ? null : resultInView(state);
  if (result === null) return [];
  const name = `${result.session_id} ${state.text} ${description === null} ${process.stderr.columns}`;
  if (written.current.name !== name) written.current = { name, lines: write(result) };
  return written.current.lines;
}
