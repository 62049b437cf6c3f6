import { errorText, SmartForkError } from '../../domain/errors.ts';
import { sha256 } from '../../domain/text/hash.ts';
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

/** A change to a file. Null stands for a file that does not exist. */
export interface SettingsChange {
  editor: SettingsEditor;
  before: string | null;
  after: string | null;
  state: SettingsState;
  /** Why the file is left alone. */
  problem: SmartForkError | null;
}

export interface AppliedChange {
  change: SettingsChange;
  /** Path of the backup; null if there was no file, or if an earlier backup exists. */
  backup: string | null;
  problem: SmartForkError | null;
}

/** The changes that `init` would make. Writes nothing. */
export function planInit(deps: SettingsDependencies, editors: SettingsEditor[]): SettingsChange[] {
  return planEach(deps, editors, (editor, before) => editor.add(before ?? ''));
}

/** Plans one change per editor. Editors of the same file build on each other. */
export function planEach(
  { files }: SettingsDependencies,
  editors: SettingsEditor[],
  edit: (editor: SettingsEditor, before: string | null) => string | null,
): SettingsChange[] {
  const texts = new Map<string, string | null>();
  return editors.map((editor) => {
    const known = texts.get(editor.path);
    let before = known ?? null;
    try {
      if (known === undefined) before = files.read(editor.path);
      const state = editor.state(before ?? '');
      const after = edit(editor, before);
      texts.set(editor.path, after);
      return { editor, before, after, state, problem: null };
    } catch (error) {
      return { editor, before, after: before, state: 'absent', problem: asProblem(error, editor.path) };
    }
  });
}

/** Applies each change of a plan. A file that cannot be written does not stop the others. */
export function applyEach(
  plan: SettingsChange[],
  apply: (planned: SettingsChange) => Pick<AppliedChange, 'change' | 'backup'>,
): AppliedChange[] {
  return plan.map((planned) => {
    try {
      if (planned.problem !== null) throw planned.problem;
      return { ...apply(planned), problem: null };
    } catch (error) {
      return { change: planned, backup: null, problem: asProblem(error, planned.editor.path) };
    }
  });
}

export function isChange({ before, after }: SettingsChange): boolean {
  return before !== after;
}

/** The file as it was before init; undefined if someone else has changed it since. */
export function originalOf(text: string, noted: InstalledFile | undefined): string | undefined {
  return noted !== undefined && noted.written === sha256(text) ? undoEdit(text, noted.undo) : undefined;
}

export function noteOf(notes: InstalledFile[], { part, path }: SettingsEditor): InstalledFile | undefined {
  return notes.find((one) => one.part === part && one.path === path);
}

function asProblem(error: unknown, path: string): SmartForkError {
  if (error instanceof SmartForkError) return error;
  return new SmartForkError('CONFIG_INVALID', `${path}: ${errorText(error)}`, { cause: error });
}
