import { isPackage, type NameCandidate } from './read-names.ts';
import type { NameKind } from './understanding.ts';

/** `repo:web-shop` and the like, also after a minus sign, whether or not there is anything of that name. */
export function findKeyed(masked: string): (NameCandidate & { from: string })[] {
  return Array.from(masked.matchAll(KEYED), ({ 0: from, 1: kind = '', 2: name = '', index }) => ({
    kind: kind.toLowerCase() as NameKind,
    name,
    from,
    start: index,
    end: index + from.length,
  })).filter((one) => !isPackage(one));
}

const KEYED =
  /(?<=^|[\s\0(,])-?(repo|branch|machine|agent|lang):([\p{L}\p{N}_@.](?:[\p{L}\p{N}._/@+#-]{0,99}[\p{L}\p{N}_+#])?)(?=$|[\s\0),.;!?])/giu;
