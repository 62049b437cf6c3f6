/** Longer tool results are not parsed: they make up nine tenths of a transcript and contain nothing to index. */
export const LIGHT_BYTES = 4096;
export const HEAD_BYTES = 1024;

/**
 * Decides from a line's beginning what to do with it. Only a top-level type counts: between the line's first brace and the type
 * there is no other brace or bracket. Unrecognized lines are parsed, and those with a second record behind the first.
 */
export function sniffLine(line: Buffer): 'ignored' | 'tool result' | 'queue' | 'parse' {
  const head = line.toString('latin1', 0, Math.min(line.length, HEAD_BYTES));
  const top = /^\{[^{}[\]]*?"type":\s?"([a-z-]+)"/.exec(head);
  if (top === null || line.includes('}{"') || line.includes('{"parentUuid":', 1)) return 'parse';
  switch (top[1]) {
    case 'progress':
    case 'file-history-snapshot':
    case 'file-history-delta':
      return 'ignored';
    case 'attachment':
      return line.includes('"queued_command"') || line.includes('"plan_file_reference"')
        ? 'parse'
        : 'ignored';
    case 'queue-operation':
      return 'queue';
    case 'user':
      return isLightResult(line, head) ? 'tool result' : 'parse';
    default:
      return top[1]?.startsWith('api-request') ? 'ignored' : 'parse';
  }
}

function isLightResult(line: Buffer, head: string): boolean {
  if (line.length < LIGHT_BYTES) return false;
  const opens =
    /"message":\{"role":"user","content":\[\{(?:"tool_use_id":"[^"]*",)?"type":"tool_result"/.test(head);
  return opens && !ANSWERED.test(head) && !PARSED.some((part) => line.includes(part));
}

/** A result's text in blocks, an error, the user's answers. */
const PARSED = ['"type":"text"', '"is_error":true', '"answers":{'].map((part) => Buffer.from(part));
/** The answer to a plan or to a question. */
const ANSWERED = /"content":"(?:User has approved |The user responded: )/;
