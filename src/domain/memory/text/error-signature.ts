/**
 * A signature shared by reports of the same error: its type, its message without places, numbers and addresses, and the function or
 * file of the first frame. Takes lines found by `errorLines`.
 */
export function errorSignature(error: string): string {
  const [first = '', frame = ''] = error.split('\n', 2);
  const message = first
    .replace(/^error: /i, '')
    .replace(/^(?:Uncaught |Caused by: |E\s{1,8}|[✗✘×❌●✖]\s*)/, '')
    .replace(/^[\w./@-]{1,200}[:(]\d+[:,]\d+\)?:?\s*/, '')
    .replace(/\[[\d.]{1,12} ?m?s\]/g, '')
    .replace(/0x[0-9a-f]+|\b[0-9a-f]{8,64}(?:-[0-9a-f]{4,12}){0,4}\b/gi, '#')
    .replace(/(?:[A-Za-z]:)?(?:[\\/][\w@.+ -]{1,80}){2,30}/g, (path) => path.split(/[\\/]/).at(-1) ?? '')
    .replace(/\d+/g, '#')
    .replace(/\s+/g, ' ')
    .trim();
  const place = frameOf(frame);
  return `${message.slice(0, 160)}${place === '' ? '' : ` @ ${place}`}`.toLowerCase().toWellFormed();
}

function frameOf(frame: string): string {
  const called = /^at (?:async )?([\w$.<>]{1,80}) \(/.exec(frame)?.[1];
  if (called !== undefined && !called.includes('<anonymous>')) return called;
  const path = /([^\s/\\"():]{1,80}\.\w{1,5})(?:", line |:)\d/.exec(frame)?.[1];
  return path ?? '';
}
