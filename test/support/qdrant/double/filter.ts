import { type Fields, fieldsOf, isFields, listOf, Refusal } from './answer.ts';
import type { StoredPoint } from './points.ts';

/** Whether a point matches a filter; without a filter every point does. */
export function passes(point: StoredPoint, filter: unknown): boolean {
  if (!isFields(filter)) return true;
  const { must, must_not, should, min_should } = filter;
  const shoulds = listOf(should);
  const atLeast = fieldsOf(min_should);
  return (
    listOf(must).every((condition) => holds(point, condition)) &&
    !listOf(must_not).some((condition) => holds(point, condition)) &&
    (shoulds.length === 0 || shoulds.some((condition) => holds(point, condition))) &&
    (!isFields(min_should) ||
      listOf(atLeast.conditions).filter((condition) => holds(point, condition)).length >=
        Number(atLeast.min_count))
  );
}

/** In strict mode a filter requires a payload index. */
export function refuseUnindexed(filter: unknown, indexes: Map<string, string>): void {
  if (!isFields(filter)) return;
  const { must, must_not, should } = filter;
  for (const condition of [...listOf(must), ...listOf(must_not), ...listOf(should)].map(fieldsOf)) {
    if ('must' in condition || 'should' in condition || 'must_not' in condition) {
      refuseUnindexed(condition, indexes);
    } else {
      refuseKey(condition, indexes);
    }
  }
}

/** The values at a dotted path; arrays count as their elements. */
export function valuesAt(payload: Fields, key: string): unknown[] {
  let values: unknown[] = [payload];
  for (const part of key.replaceAll('[]', '').split('.')) {
    values = values.flatMap((value) => (isFields(value) && part in value ? listOf(value[part]) : []));
  }
  return values;
}

function refuseKey(condition: Fields, indexes: Map<string, string>): void {
  const key = condition.key ?? fieldsOf(condition.is_empty).key ?? fieldsOf(condition.is_null).key;
  if (typeof key !== 'string') return;
  const wanted = typesFor(condition);
  const type = indexes.get(key);
  if (type !== undefined && (wanted.length === 0 || wanted.includes(type))) return;
  throw new Refusal(
    400,
    `Bad request: Index required but not found for "${key}" of one of the following types: [${wanted.join(', ')}]. Help: Create an index for this key or use a different filter.`,
  );
}

function typesFor({ match, range }: Fields): string[] {
  if (isFields(range)) {
    return Object.values(range).some((limit) => typeof limit === 'string')
      ? ['datetime']
      : ['integer', 'float'];
  }
  const { value, any } = fieldsOf(match);
  const sample = any === undefined ? value : listOf(any)[0];
  if (typeof sample === 'number') return ['integer'];
  if (typeof sample === 'boolean') return ['bool'];
  return typeof sample === 'string' ? ['keyword'] : [];
}

function holds(point: StoredPoint, condition: unknown): boolean {
  const fields = fieldsOf(condition);
  if (Array.isArray(fields.has_id)) return fields.has_id.includes(point.id);
  if (typeof fields.has_vector === 'string') return point.vectors.has(fields.has_vector);
  if (isFields(fields.is_empty)) return valuesAt(point.payload, String(fields.is_empty.key)).length === 0;
  if (isFields(fields.is_null)) return valuesAt(point.payload, String(fields.is_null.key)).includes(null);
  if (typeof fields.key === 'string') {
    const values = valuesAt(point.payload, fields.key);
    return values.some((value) => matches(value, fields.match) && inRange(value, fields.range));
  }
  return passes(point, fields);
}

function matches(value: unknown, match: unknown): boolean {
  if (!isFields(match)) return true;
  if ('value' in match) return value === match.value;
  if ('any' in match) return listOf(match.any).includes(value);
  if ('except' in match) return !listOf(match.except).includes(value);
  if ('text' in match) return typeof value === 'string' && value.includes(String(match.text));
  return false;
}

function inRange(value: unknown, range: unknown): boolean {
  if (!isFields(range)) return true;
  const place = typeof value === 'string' ? Date.parse(value) : value;
  if (typeof place !== 'number' || Number.isNaN(place)) return false;
  const limit = (name: string) => {
    const bound = range[name];
    return typeof bound === 'string' ? Date.parse(bound) : typeof bound === 'number' ? bound : null;
  };
  const [gt, gte, lt, lte] = [limit('gt'), limit('gte'), limit('lt'), limit('lte')];
  return (
    (gt === null || place > gt) &&
    (gte === null || place >= gte) &&
    (lt === null || place < lt) &&
    (lte === null || place <= lte)
  );
}
