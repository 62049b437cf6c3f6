import { errorText, SmartForkError } from '../../domain/errors.ts';
import { sha256 } from '../../domain/point/hash.ts';
import type {
  InstalledFile,
  InstallRecord,
  SettingsEditor,
  SettingsFiles,
  SettingsState,
} from '../../ports/agent-settings.ts';
import { undoEdit } from './undo-edit.ts';

export interface SettingsDependencies {
  files: SettingsFiles;
  record: InstallRecord;
}

/** What is to happen to one file. Null stands for a file that is not there. */
export interface SettingsChange {
  editor: SettingsEditor;
  before: string | null;
  after: string | null;
  /** What was there of our entries. */
  state: SettingsState;
  /** Why nothing can be done; the file is left alone. */
  problem: SmartForkError | null;
}

/** What `init` would change: reads, and writes nothing. Several editors of one file build on each other. */
export function planInit({ files }: SettingsDependencies, editors: SettingsEditor[]): SettingsChange[] {
  const texts = new Map<string, string | null>();
  return editors.map((editor) => {
    let before: string | null = null;
    try {
      const known = texts.get(editor.path);
      before = known === undefined ? files.read(editor.path) : known;
      const state = editor.state(before ?? '');
      const after = state === 'current' || state === 'other' ? before : editor.add(before ?? '');
      texts.set(editor.path, after);
      return { editor, before, after, state, problem: null };
    } catch (error) {
      return { editor, before, after: before, state: 'absent', problem: asProblem(error, editor.path) };
    }
  });
}

export function isChange({ before, after }: SettingsChange): boolean {
  return before !== after;
}

/** The file as it was before init, when nothing else changed it since; else undefined. */
export function originalOf(text: string, noted: InstalledFile | undefined): string | undefined {
  return noted !== undefined && noted.written === sha256(text) ? undoEdit(text, noted.undo) : undefined;
}

export function noteOf(notes: InstalledFile[], { part, path }: SettingsEditor): InstalledFile | undefined {
  return notes.find((one) => one.part === part && one.path === path);
}

export function asProblem(error: unknown, path: string): SmartForkError {
  if (error instanceof SmartForkError) return error;
  return new SmartForkError('CONFIG_INVALID', `${path}: ${errorText(error)}`, { cause: error });
}
