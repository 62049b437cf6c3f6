import { createPrompt, useEffect, useKeypress, useRef, useState } from '@inquirer/core';
import type { SessionDescription } from '../../../app/read/describe-session.ts';
import { errorText } from '../../../domain/errors.ts';
import type { Fit } from '../../../domain/search/certainty.ts';
import type { SearchResult } from '../../../domain/search-result.ts';
import { createInk } from '../../terminal/ink.ts';
import { wasCancelled } from '../../terminal/prompt.ts';
import type { OutputStream, Terminal } from '../../terminal/terminal.ts';
import {
  type Picked,
  type PickerState,
  resultInView,
  type Scope,
  startState,
  withResults,
} from './picker-state.ts';
import { type Key, press } from './press-key.ts';
import { screenLines } from './screen.ts';

export interface Found {
  results: SearchResult[];
  confidence: number | null;
  /** See SearchResponse, also for the next. */
  preferred?: string;
  fit?: Fit;
  /** Whether a larger search may bring more. */
  more: boolean;
  /** See Ink. */
  shortId(sessionId: string): string;
}

export interface PickerSource extends Found {
  query: string;
  /** Null if the scope cannot be switched. */
  scope: Scope | null;
  nowMs: number;
  describe(result: SearchResult): Promise<SessionDescription>;
  /** Searches again in a scope, for as many results as a picker can hold. */
  find(scope: Scope | null): Promise<Found>;
}

/** Shows the selection screen on the terminal's alternate screen, which is always closed afterwards. */
export async function pick(source: PickerSource, terminal: Terminal, signal: AbortSignal): Promise<Picked> {
  const { stderr, stdin } = terminal;
  if (!stdin) return { kind: 'cancel' };
  stderr.write(OWN_SCREEN);
  try {
    return await prompt(
      { source, terminal },
      { input: stdin, output: stderr, signal, clearPromptOnDone: true },
    );
  } catch (error) {
    if (wasCancelled(error)) return { kind: 'cancel' };
    throw error;
  } finally {
    stderr.write(FORMER_SCREEN);
  }
}

const OWN_SCREEN = '\x1b[?1049h\x1b[H\x1b[2J';
const FORMER_SCREEN = '\x1b[?1049l\x1b[?25h';
const CLEAR = '\x1b[H\x1b[2J';
const HIDE_CURSOR = '\x1b[?25l';

interface PickerConfig {
  source: PickerSource;
  terminal: Terminal;
}

const prompt = createPrompt<Picked, PickerConfig>(({ source, terminal }, done) => {
  const [state, setState] = useState<PickerState>(() => startState(source.results, source));
  const [found, setFound] = useState<Found>(source);
  const [status, setStatus] = useState<string | null>(null);
  const latest = useRef(state);
  const deepest = useRef(0);
  const searching = useRef(false);
  latest.current = state;
  useResize(terminal.stderr);
  const description = useDescription(state, source, setStatus);

  const find = async (scope: Scope | null) => {
    if (searching.current) return;
    searching.current = true;
    setStatus('Searching');
    try {
      const found = await source.find(scope);
      setState(withResults(latest.current, found.results, { more: found.more, scope }));
      setFound(found);
      setStatus(null);
    } catch (error) {
      setStatus(errorText(error));
    } finally {
      searching.current = false;
    }
  };

  useKeypress((event, rl) => {
    rl.clearLine(0);
    const key: Key = event;
    const before = { ...state, scroll: Math.min(state.scroll, deepest.current) };
    const pressed = press(before, key);
    latest.current = pressed.state;
    setState(pressed.state);
    if (pressed.picked) done(pressed.picked);
    else if (pressed.wants === 'more') void find(state.scope);
    else if (pressed.wants === 'scope') void find(state.scope === 'here' ? 'everywhere' : 'here');
  });

  const ink = createInk({ ...terminal.errorLook, shortId: found.shortId });
  const { query, nowMs } = source;
  const rows = terminal.stderr.rows ?? terminal.rows;
  const screen = screenLines(state, { ...found, query, nowMs, ink, rows, description, status });
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
  const result = resultInView(state);
  const id = result?.session_id ?? null;
  useEffect(() => {
    if (result === null || id === null || all.current.has(id)) return;
    const timer = setTimeout(() => {
      source.describe(result).then(
        (description) => {
          all.current = new Map([...all.current, [id, description]]);
          setRead(all.current);
        },
        (error: unknown) => tell(errorText(error)),
      );
    }, READ_AFTER_MS);
    return () => clearTimeout(timer);
  }, [id]);
  return id === null ? null : (read.get(id) ?? null);
}
