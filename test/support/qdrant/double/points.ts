import { type Fields, fieldsOf, formatError, isFields, Refusal, wrongInput } from './answer.ts';

export interface Sparse {
  indices: number[];
  values: number[];
}

export type StoredVector = Float32Array | Sparse;
export type PointId = string | number;

/** A stored point. An unnamed vector is stored under ''. */
export interface StoredPoint {
  id: PointId;
  vectors: Map<string, StoredVector>;
  payload: Fields;
}

/** The vectors of a collection. */
export interface VectorShapes {
  /** Name to size and distance. */
  dense: Map<string, { size: number; distance: string }>;
  sparse: Set<string>;
}

export function readId(value: unknown): PointId {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value;
  const isUuid = typeof value === 'string' && /^[\da-f]{8}-?([\da-f]{4}-?){3}[\da-f]{12}$/i.test(value);
  if (isUuid) return String(value).toLowerCase();
  throw formatError(
    `value ${String(value)} is not a valid point ID, valid values are either an unsigned integer or a UUID`,
  );
}

/** Numbers sort before UUIDs. */
export function compareIds(a: PointId, b: PointId): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a !== typeof b) return typeof a === 'number' ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A point's vectors as stored. Cosine vectors are normalized. */
export function readVectors(value: unknown, shapes: VectorShapes, at: number): Map<string, StoredVector> {
  const named: Fields = Array.isArray(value) ? { '': value } : fieldsOf(value);
  if (isFields(value) && 'model' in value) throw noInference();
  const vectors = new Map<string, StoredVector>();
  for (const [name, vector] of Object.entries(named)) {
    if (Array.isArray(vector)) vectors.set(name, readDense(name, vector, shapes));
    else vectors.set(name, readSparse(name, fieldsOf(vector), shapes, at));
  }
  return vectors;
}

export function noInference(): Refusal {
  return new Refusal(
    500,
    'Service internal error: InferenceService URL not configured - please provide valid address in config',
  );
}

/** Formatted like a real server: 32-bit numbers with all digits. */
export function showVectors(point: StoredPoint, wanted: unknown): unknown {
  if (wanted !== true && !Array.isArray(wanted)) return undefined;
  const shown: Fields = {};
  for (const [name, vector] of point.vectors) {
    if (Array.isArray(wanted) && !wanted.includes(name)) continue;
    const value = showVector(vector);
    if (name === '') return value;
    shown[name] = value;
  }
  return shown;
}

export function showPayload(payload: Fields, wanted: unknown): Fields | undefined {
  if (wanted === false || wanted === undefined || wanted === null) return undefined;
  if (wanted === true) return payload;
  const include = Array.isArray(wanted) ? wanted : fieldsOf(wanted).include;
  const exclude = fieldsOf(wanted).exclude;
  const entries = Object.entries(payload).filter(
    ([key]) =>
      (!Array.isArray(include) || include.includes(key)) &&
      (!Array.isArray(exclude) || !exclude.includes(key)),
  );
  return Object.fromEntries(entries);
}

function show(numbers: Iterable<number>): number[] {
  return Array.from(numbers, (value) => Number(Math.fround(value).toPrecision(8)));
}

function showVector(vector: StoredVector): unknown {
  if (vector instanceof Float32Array) return show(vector);
  return { indices: vector.indices, values: show(vector.values) };
}

function readDense(name: string, vector: unknown[], shapes: VectorShapes): Float32Array {
  const shape = shapes.dense.get(name);
  if (vector.some((value) => typeof value !== 'number')) {
    throw formatError('data did not match any variant of untagged enum VectorStruct');
  }
  if (shape === undefined) throw wrongInput(`Not existing vector name error: ${name}`);
  if (vector.length !== shape.size) {
    const where = name === '' ? '' : ` for vector '${name}'`;
    throw wrongInput(`Vector dimension error: expected dim: ${shape.size}, got ${vector.length}${where}`);
  }
  const numbers = Float32Array.from(vector, Number);
  return shape.distance === 'Cosine' ? normalised(numbers) : numbers;
}

export function normalised(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}

function readSparse(name: string, vector: Fields, shapes: VectorShapes, at: number): Sparse {
  const { indices, values } = vector;
  if (!Array.isArray(indices) || !Array.isArray(values)) {
    throw formatError('data did not match any variant of untagged enum VectorStruct');
  }
  if (new Set(indices).size !== indices.length) {
    throw new Refusal(
      422,
      `Validation error in JSON body: [points[${at}].vector.?.indices: Validation error: must be unique [{}]]`,
    );
  }
  if (indices.length !== values.length) {
    throw new Refusal(422, 'Validation error in JSON body: indices and values must have the same length');
  }
  if (indices.some((index) => !Number.isInteger(index) || Number(index) < 0 || Number(index) > 0xffffffff)) {
    throw formatError('invalid index');
  }
  if (!shapes.sparse.has(name)) throw wrongInput(`Not existing vector name error: ${name}`);
  return { indices: indices.map(Number), values: values.map((value) => Math.fround(Number(value))) };
}
