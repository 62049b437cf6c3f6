import { type Fields, fieldsOf, formatError, isFields, listOf, wrongInput } from './answer.ts';
import { passes, valuesAt } from './filter.ts';
import { noInference, normalised, type PointId, type StoredPoint, type VectorShapes } from './points.ts';

export interface Scored {
  point: StoredPoint;
  score: number;
}

export interface Searchable {
  points: StoredPoint[];
  shapes: VectorShapes;
  shardOf(point: StoredPoint): number;
  /** Order of equal scores; a real server guarantees none. */
  compareTies(a: PointId, b: PointId): number;
}

/** The answer to one query, best first, without its limit. */
export function runQuery(of: Searchable, request: Fields, filters: unknown[] = []): Scored[] {
  const { query, using } = request;
  const all = [...filters, request.filter];
  const isMeant = (point: StoredPoint) => all.every((filter) => passes(point, filter));
  if (isFields(query) && 'indices' in query) {
    const name = typeof using === 'string' ? using : '';
    const hits = sparse(of, listOf(query.indices).map(Number), listOf(query.values).map(Number), name);
    return hits.filter(({ point }) => isMeant(point));
  }
  const points = of.points.filter(isMeant);
  if (query === undefined || query === null) return points.map((point) => ({ point, score: 0 }));
  const name = typeof using === 'string' ? using : '';
  if (Array.isArray(query)) return dense(of, points, query.map(Number), name);
  if (!isFields(query)) {
    throw formatError('Expected some form of vector, id, or a type of query at line 1 column 25');
  }
  if ('nearest' in query) return runQuery(of, { ...request, query: query.nearest }, filters);
  if ('model' in query) {
    // The server's own BM25 uses none of our tokens.
    if (query.model === 'qdrant/bm25') return [];
    throw noInference();
  }
  const sources = listOf(request.prefetch).map((one) =>
    limited(runQuery(of, fieldsOf(one), all), fieldsOf(one)),
  );
  if ('rrf' in query || query.fusion === 'rrf') return reciprocalRanks(of, sources, fieldsOf(query.rrf));
  if (query.fusion === 'dbsf') return distributionBased(of, sources);
  if ('formula' in query) return byFormula(of, sources.flat(), query);
  throw formatError('data did not match any variant of untagged enum QueryInterface');
}

export function limited(scored: Scored[], request: Fields): Scored[] {
  const offset = Number(request.offset ?? 0);
  return scored.slice(offset, offset + Number(request.limit ?? 10));
}

function dense(of: Searchable, points: StoredPoint[], query: number[], name: string): Scored[] {
  const shape = of.shapes.dense.get(name);
  if (shape === undefined) throw wrongInput(`Not existing vector name error: ${name}`);
  if (shape.size !== query.length) {
    throw wrongInput(`Vector dimension error: expected dim: ${shape.size}, got ${query.length}`);
  }
  const vector =
    shape.distance === 'Cosine' ? normalised(Float32Array.from(query)) : Float32Array.from(query);
  const scored = points.flatMap((point) => {
    const stored = point.vectors.get(name);
    if (!(stored instanceof Float32Array)) return [];
    let score = 0;
    for (let at = 0; at < stored.length; at += 1) score += (stored[at] ?? 0) * (vector[at] ?? 0);
    return [{ point, score: Math.fround(score) }];
  });
  return inOrder(of, scored);
}

/** Inverse document frequencies count all points in the shard that have the vector, whatever the filter. */
function sparse(of: Searchable, indices: number[], values: number[], name: string): Scored[] {
  if (!of.shapes.sparse.has(name)) throw wrongInput(`Not existing vector name error: ${name}`);
  const wanted = indices.map((index, at) => ({ index, weight: values[at] ?? 0 }));
  wanted.sort((a, b) => a.index - b.index);
  const shards = new Map<number, StoredPoint[]>();
  for (const point of of.points) {
    const shard = shards.get(of.shardOf(point));
    if (shard === undefined) shards.set(of.shardOf(point), [point]);
    else shard.push(point);
  }
  return inOrder(
    of,
    [...shards.values()].flatMap((points) => sparseInShard(points, wanted, name)),
  );
}

function sparseInShard(
  points: StoredPoint[],
  terms: { index: number; weight: number }[],
  name: string,
): Scored[] {
  const vectors = points.flatMap((point) => {
    const vector = sparseIn(point, name);
    return vector === null ? [] : [{ point, vector }];
  });
  const wanted = terms.map((term) => {
    const held = vectors.filter(({ vector }) => vector.has(term.index)).length;
    return { ...term, rarity: Math.log((vectors.length - held + 0.5) / (held + 0.5) + 1) };
  });
  return vectors.flatMap(({ point, vector }) => {
    const hits = wanted.filter(({ index }) => vector.has(index));
    const score = hits.reduce(
      (sum, { index, weight, rarity }) => sum + weight * (vector.get(index) ?? 0) * rarity,
      0,
    );
    return hits.length === 0 ? [] : [{ point, score: Math.fround(score) }];
  });
}

const READ = new WeakMap<object, Map<number, number>>();

/** Maps index to value. Vectors are replaced, never modified. */
function sparseIn(point: StoredPoint, name: string): Map<number, number> | null {
  const vector = point.vectors.get(name);
  if (vector === undefined || vector instanceof Float32Array || Array.isArray(vector)) return null;
  const known = READ.get(vector);
  if (known !== undefined) return known;
  const read = new Map(vector.indices.map((index, at) => [index, vector.values[at] ?? 0]));
  READ.set(vector, read);
  return read;
}

/** 1 / (k + rank), ranks from 0; a weight w turns a rank r into (r + 1) / w - 1. */
function reciprocalRanks(of: Searchable, sources: Scored[][], { k = 2, weights }: Fields): Scored[] {
  const shares = sources.map((source, list) => {
    const weight = Array.isArray(weights) ? Number(weights[list] ?? 1) : 1;
    return source.map(({ point }, rank) => ({ point, score: 1 / (Number(k) + (rank + 1) / weight - 1) }));
  });
  return summed(of, shares);
}

/** Maps scores between mean - 3 and mean + 3 standard deviations to 0 to 1. */
function distributionBased(of: Searchable, sources: Scored[][]): Scored[] {
  const shares = sources.map((source) => {
    const mean = source.reduce((sum, { score }) => sum + score, 0) / source.length;
    const variance = source.reduce((sum, { score }) => sum + (score - mean) ** 2, 0) / (source.length - 1);
    const low = mean - 3 * Math.sqrt(variance);
    const width = 6 * Math.sqrt(variance);
    return source.map(({ point, score }) => ({ point, score: width === 0 ? 0.5 : (score - low) / width }));
  });
  return summed(of, shares);
}

function summed(of: Searchable, shares: Scored[][]): Scored[] {
  const sums = new Map<PointId, Scored>();
  for (const { point, score } of shares.flat()) {
    sums.set(point.id, { point, score: (sums.get(point.id)?.score ?? 0) + score });
  }
  return inOrder(of, [...sums.values()]);
}

function byFormula(of: Searchable, scored: Scored[], query: Fields): Scored[] {
  const defaults = fieldsOf(query.defaults);
  return inOrder(
    of,
    scored.map(({ point, score }) => ({ point, score: evaluate(query.formula, { point, score }, defaults) })),
  );
}

function evaluate(formula: unknown, scored: Scored, defaults: Fields): number {
  if (typeof formula === 'number') return formula;
  if (formula === '$score') return scored.score;
  const fields = fieldsOf(formula);
  const worth = (part: unknown) => evaluate(part, scored, defaults);
  if (Array.isArray(fields.sum)) return fields.sum.map(worth).reduce((a, b) => a + b, 0);
  if (Array.isArray(fields.mult)) return fields.mult.map(worth).reduce((a, b) => a * b, 1);
  if (typeof fields.datetime === 'string') return Date.parse(fields.datetime) / 1000;
  if (typeof fields.datetime_key === 'string') {
    const [value = defaults[fields.datetime_key]] = valuesAt(scored.point.payload, fields.datetime_key);
    return Date.parse(String(value)) / 1000;
  }
  if (isFields(fields.exp_decay)) {
    const { x, target, scale, midpoint = 0.5 } = fields.exp_decay;
    return Number(midpoint) ** (Math.abs(worth(x) - worth(target)) / Number(scale));
  }
  throw formatError('unknown expression');
}

function inOrder(of: Searchable, scored: Scored[]): Scored[] {
  return scored.sort((a, b) => b.score - a.score || of.compareTies(a.point.id, b.point.id));
}
