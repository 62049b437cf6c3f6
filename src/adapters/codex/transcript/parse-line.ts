import { asNumber, asRecord, asText, asTime } from '../../jsonl/read-value.ts';
import type { LineContext } from '../calls/emit-call.ts';
import { asItem } from './bare-lines.ts';
import { parseLegacyEvent, parseLegacyItem } from './parse-legacy-line.ts';
import { parsePaginatedEvent, parsePaginatedItem } from './parse-paginated-line.ts';

/** Emits the events of one line; false if it does not have the shape of its type. Skips lines from `endOrdinal` on. */
export function parseLine(line: Record<string, unknown>, shared: LineContext, endOrdinal: number): boolean {
  const object = asItem(line);
  const ordinal = asNumber(object.ordinal);
  const payload = asRecord(object.payload);
  const context = { ...shared, timestamp: asTime(object.timestamp) };
  if (ordinal !== null && ordinal >= endOrdinal) return true;
  switch (object.type) {
    case 'event_msg':
      if (payload === null) return false;
      if (payload.type === 'thread_rolled_back') {
        const last = asNumber(payload.num_turns);
        if (last !== null && last > 0) context.emit({ kind: 'rewound', last });
        return last !== null;
      }
      if (payload.type === 'thread_name_updated') {
        const name = asText(payload.thread_name)?.trim();
        const inherited = context.inherited || undefined;
        if (name) context.emit({ kind: 'title', source: 'custom', text: name, inherited });
        return true;
      }
      return ordinal === null ? parseLegacyEvent(payload, context) : parsePaginatedEvent(payload, context);
    case 'response_item':
      if (payload === null) return false;
      if (ordinal === null) return parseLegacyItem(payload, context);
      parsePaginatedItem(payload, context);
      return true;
    case 'turn_context':
      if (payload === null) return false;
      emitTurn(payload, context);
      return true;
    case 'compacted':
      if (!context.inherited) {
        const summary = asText(payload?.message)?.trim() || null;
        context.emit({ kind: 'compaction', timestamp: context.timestamp, summary });
      }
      return true;
    default:
      // The first line, and the marks between the lines of 2025, have no type.
      return typeof object.type === 'string' || object.record_type !== undefined;
  }
}

/** A copied turn has the parent's folder and model, not this session's. */
function emitTurn(payload: Record<string, unknown>, { inherited, timestamp, emit }: LineContext): void {
  const cwd = asText(payload.cwd);
  const model = asText(payload.model);
  if (inherited || (cwd === null && model === null)) return;
  emit({
    kind: 'context',
    ...(cwd === null ? {} : { cwd }),
    ...(model === null ? {} : { model }),
    ...(timestamp === null ? {} : { timestamp }),
  });
}
