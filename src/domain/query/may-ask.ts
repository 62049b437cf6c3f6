/** A query without any of these does not ask for sessions. Tested before what reads words of asking is loaded. */
const SIGN =
  /\b(?:session|conversation|chat|discussion|thread|transcript|one)s?\b|\0\s{0,9}(?:that|which)\b|\b(?:i|we|you)\b|\b(?:my|mine|said|discussed|mentioned)\b|\b(?:any|every|some|that )?things?\b|\bstuff\b/i;

export function mayAsk(masked: string): boolean {
  return SIGN.test(masked);
}
