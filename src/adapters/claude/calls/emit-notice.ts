import type { LineContext } from './line-context.ts';

/** Emits the ends of background commands. A notice in a later message reports them, without their output. */
export function emitNotices(text: string, { inherited, emit }: LineContext): void {
  if (!text.includes('<task-notification>')) return;
  for (const [, notice = ''] of text.matchAll(NOTICE)) {
    const call = fieldOf(notice, CALL);
    const status = fieldOf(notice, STATUS);
    if (call === null || (status !== 'completed' && status !== 'failed')) continue;
    emit({ kind: 'result', call, failed: status === 'failed', error: null, inherited });
  }
}

const NOTICE = /<task-notification>([^<]*(?:<(?!\/?task-notification>)[^<]*)*)<\/task-notification>/g;
const CALL = /<tool-use-id>\s*([\w-]{1,200})\s*<\/tool-use-id>/;
const STATUS = /<status>\s*([a-z]{1,20})\s*<\/status>/;

function fieldOf(notice: string, field: RegExp): string | null {
  return field.exec(notice)?.[1] ?? null;
}
