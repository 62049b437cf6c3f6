import type { SettingsEditor } from '../../ports/agent-settings.ts';
import type { AppliedChange } from './apply-init.ts';
import {
  asProblem,
  isChange,
  noteOf,
  originalOf,
  type SettingsChange,
  type SettingsDependencies,
} from './plan-init.ts';

/**
 * What `uninstall` would change. A file that nobody else changed since `init` becomes what it was, to the byte; from another
 * one our entries are taken out. A file that init made is deleted when nothing else is in it.
 */
export function planUninstall(deps: SettingsDependencies, editors: SettingsEditor[]): SettingsChange[] {
  const texts = new Map<string, string | null>();
  const notes = deps.record.load();
  // Backwards: of two edits of one file the later one is undone first.
  return editors.toReversed().map((editor) => {
    let before: string | null = null;
    try {
      const known = texts.get(editor.path);
      before = known === undefined ? deps.files.read(editor.path) : known;
      const after = before === null ? null : withoutOurs(editor, before, noteOf(notes, editor));
      texts.set(editor.path, after);
      return { editor, before, after, state: editor.state(before ?? ''), problem: null };
    } catch (error) {
      return { editor, before, after: before, state: 'absent', problem: asProblem(error, editor.path) };
    }
  });
}

/** Makes the changes of a plan. Copies are deleted where the file is again what they hold. */
export function applyUninstall(deps: SettingsDependencies, plan: SettingsChange[]): AppliedChange[] {
  return plan.map((planned) => {
    if (planned.problem !== null) return { change: planned, backup: null, problem: planned.problem };
    try {
      return { change: planned, backup: undoOne(deps, planned), problem: null };
    } catch (error) {
      return { change: planned, backup: null, problem: asProblem(error, planned.editor.path) };
    }
  });
}

function withoutOurs(editor: SettingsEditor, text: string, note: ReturnType<typeof noteOf>): string | null {
  const original = originalOf(text, note) ?? editor.remove(text, note?.keep ?? []);
  return note?.existed === false && /^\s*(?:\{\s*\})?\s*$/.test(original) ? null : original;
}

/** Returns the copy that stays, because the file holds changes of others now. */
function undoOne({ files, record }: SettingsDependencies, planned: SettingsChange): string | null {
  const { editor } = planned;
  const notes = record.load();
  const note = noteOf(notes, editor);
  const current = files.read(editor.path);
  const after = current === null ? null : withoutOurs(editor, current, note);
  if (isChange({ ...planned, before: current, after })) files.write(editor.path, after);
  record.save(notes.filter((one) => one !== note));
  if (note?.backup == null) return null;
  if (files.read(note.backup) !== after) return note.backup;
  files.delete(note.backup);
  return null;
}
