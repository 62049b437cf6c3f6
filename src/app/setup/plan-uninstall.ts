import type { SettingsEditor } from '../../ports/agent-settings.ts';
import {
  type AppliedChange,
  applyEach,
  isChange,
  noteOf,
  originalOf,
  planEach,
  type SettingsChange,
  type SettingsDependencies,
} from './plan-init.ts';

/**
 * The changes that `uninstall` would make. A file that nobody else has changed since `init` is restored byte for byte; from any other
 * file, our entries are removed. A file created by init is deleted if nothing else is in it.
 */
export function planUninstall(deps: SettingsDependencies, editors: SettingsEditor[]): SettingsChange[] {
  const notes = deps.record.load();
  // In reverse, so that of two edits to a file the later one is undone first.
  return planEach(deps, editors.toReversed(), (editor, before) =>
    before === null ? null : withoutOurs(editor, before, noteOf(notes, editor)),
  );
}

/** Applies a plan. A backup that equals the restored file is deleted. */
export function applyUninstall(deps: SettingsDependencies, plan: SettingsChange[]): AppliedChange[] {
  return applyEach(plan, (change) => ({ change, backup: undoOne(deps, change) }));
}

function withoutOurs(editor: SettingsEditor, text: string, note: ReturnType<typeof noteOf>): string | null {
  const original = originalOf(text, note) ?? editor.remove(text, note?.keep ?? []);
  const isOurFile = note?.existed === false || editor.part === 'skill';
  return isOurFile && ['', '{}'].includes(original.replaceAll(/\s/g, '')) ? null : original;
}

/** Returns the backup if it stays because the file now contains other changes. */
function undoOne({ files, record }: SettingsDependencies, planned: SettingsChange): string | null {
  const { editor } = planned;
  const notes = record.load();
  const note = noteOf(notes, editor);
  const current = files.read(editor.path);
  const after = current === null ? null : withoutOurs(editor, current, note);
  if (isChange({ ...planned, before: current, after })) files.write(editor.path, after);
  record.save(notes.filter((one) => one !== note));
  if (after === null) files.removeEmpty(note?.folders ?? []);
  if (note?.backup == null) return null;
  if (files.read(note.backup) !== after) return note.backup;
  files.delete(note.backup);
  return null;
}
