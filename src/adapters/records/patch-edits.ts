import type { FileEdit } from '../../domain/session/transcript-step.ts';

/** The edits in an `apply_patch` text: for each hunk, the lines before and after it. */
export function patchEdits(patch: string): FileEdit[] {
  const edits: FileEdit[] = [];
  let path: string | null = null;
  for (const line of patch.replace(/\n$/, '').split('\n')) {
    const file = /^\*\*\* (?:Add|Update|Delete) File: (\S.*)$/.exec(line)?.[1];
    if (file !== undefined) {
      path = file.trim();
      edits.push({ path, before: '', after: '' });
    } else if (path !== null && line.startsWith('@@')) {
      if (isBegun(edits.at(-1))) edits.push({ path, before: '', after: '' });
    } else if (line.startsWith('*** End Patch')) path = null;
    else if (path !== null && !line.startsWith('***')) addLine(edits.at(-1), line);
  }
  return edits.filter(isBegun);
}

export function diffEdits(path: string, diff: string): FileEdit[] {
  const body = diff.split('\n').filter((line) => !/^(?:---|\+\+\+|diff |index )/.test(line));
  return patchEdits([`*** Update File: ${path}`, ...body].join('\n'));
}

function addLine(edit: FileEdit | undefined, line: string): void {
  if (edit === undefined || line.startsWith('\\')) return;
  const text = `${line.slice(1)}\n`;
  if (!line.startsWith('+')) edit.before += text;
  if (!line.startsWith('-')) edit.after += text;
}

function isBegun(edit: FileEdit | undefined): boolean {
  return edit !== undefined && edit.before + edit.after !== '';
}
