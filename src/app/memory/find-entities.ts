import { technologyNamed } from '../../domain/memory/text/names.ts';
import { UNMATCHED } from '../../domain/outage.ts';
import type { Notice } from '../../domain/search-result.ts';
import { nearestValues } from '../../domain/text/nearest-value.ts';
import type { PointStore } from '../../ports/point-store.ts';

const MAX_ENTITIES = 8;
/** Shorter words match too many entities. */
const MIN_LENGTH = 3;

/** The existing entities that a query names, as `type:name`. Files may be named by their last path component. */
export async function findEntities(store: PointStore, query: string): Promise<string[]> {
  const words = new Set(
    (query.toLowerCase().match(/[\p{L}\p{N}_@#./:+-]+/gu) ?? []).map((word) =>
      word.replace(/^[./:+-]+|(?<![@#./:-])[@#./:-]+$/g, ''),
    ),
  );
  const named = [...words].flatMap((word) => technologyNamed(word) ?? []);
  const telling = [...words, ...named].filter(
    (word) => word.length >= MIN_LENGTH && LOOKS_LIKE_A_NAME.test(word),
  );
  if (telling.length === 0) return [];
  const known = (await store.facet('entity')).map(({ value }) => value);
  return known
    .filter((entity) => names(entity).some((name) => telling.includes(name)))
    .slice(0, MAX_ENTITIES);
}

/** For a name that no session has: similar names, and how to search for its words. */
export async function unknownName(store: PointStore, name: string): Promise<Notice[]> {
  const known = (await store.facet('entity')).map(({ value }) => value);
  const wanted = name.toLowerCase();
  if (known.some((entity) => entity === wanted || names(entity).includes(wanted))) return [];
  const word = wanted.slice(wanted.indexOf(':') + 1);
  const all = [...new Set(known.flatMap(names))];
  const similar = word.length < MIN_LENGTH ? [] : all.filter((one) => one.includes(word));
  const close = (similar.length > 0 ? similar : nearestValues(word, all)).slice(0, MAX_SIMILAR);
  return [
    {
      code: UNMATCHED,
      message: `"${name}" is not a known name${close.length === 0 ? '' : ` (similar: ${close.join(', ')})`}; as words`,
      hint: `smart-fork timeline ${word}`,
    },
  ];
}

const MAX_SIMILAR = 3;

/** Anything else is found by keyword search. */
const LOOKS_LIKE_A_NAME = /[./_@#:\d-]|^[a-z]{3,}$/;

function names(entity: string): string[] {
  const name = entity.slice(entity.indexOf(':') + 1).toLowerCase();
  return [name, ...(entity.startsWith('file:') ? [name.slice(name.lastIndexOf('/') + 1)] : [])];
}
