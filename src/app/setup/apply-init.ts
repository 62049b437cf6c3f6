import { sha256 } from '../../domain/text/hash.ts';
import type { InstalledFile } from '../../ports/agent-settings.ts';
import {
  type AppliedChange,
  applyEach,
  isChange,
  noteOf,
  originalOf,
  planInit,
  type SettingsChange,
  type SettingsDependencies,
} from './plan-init.ts';
import { undoOf } from './undo-edit.ts';

/**
 * Applies a plan. A file that changed in the meantime is planned again. All changes are recorded for uninstall.
 */
export function applyInit(deps: SettingsDependencies, plan: SettingsChange[]): AppliedChange[] {
  return applyEach(plan, (planned) => {
    const change = upToDate(deps, planned);
    if (change.problem !== null) throw change.problem;
    return { change, backup: isChange(change) ? applyOne(deps, change) : null };
  });
}

function upToDate(deps: SettingsDependencies, planned: SettingsChange): SettingsChange {
  if (deps.files.read(planned.editor.path) === planned.before) return planned;
  return planInit(deps, [planned.editor])[0] ?? planned;
}

function applyOne({ files, record }: SettingsDependencies, change: SettingsChange): string | null {
  const { editor, before, after } = change;
  const notes = record.load();
  const known = noteOf(notes, editor);
  const original = originalOf(before ?? '', known) ?? editor.remove(before ?? '', known?.keep ?? []);
  const isOurs = notes.some(({ path, written }) => path === editor.path && written === sha256(before ?? ''));
  const backup = before === null || isOurs || known?.backup != null ? null : files.backUp(editor.path);
  const note: InstalledFile = {
    agent: editor.agent,
    part: editor.part,
    path: editor.path,
    existed: known?.existed ?? before !== null,
    keep: known?.keep ?? editor.containers(original),
    written: sha256(after ?? ''),
    undo: undoOf(original, after ?? ''),
    backup: known?.backup ?? backup,
    folders: known?.folders ?? files.missingFolders(editor.path),
  };
  // Recorded first: a record of something that did not happen does no harm.
  record.save([...notes.filter((one) => one !== known), note]);
  files.write(editor.path, after);
  return backup;
}
