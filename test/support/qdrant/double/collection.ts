import { type Fields, fieldsOf, formatError, isFields, listOf, Refusal, wrongInput } from './answer.ts';
import { passes, refuseUnindexed, valuesAt } from './filter.ts';
import {
  compareIds,
  type PointId,
  readId,
  readVectors,
  type StoredPoint,
  showPayload,
  showVectors,
  type VectorShapes,
} from './points.ts';
import { limited, runQuery, type Scored, type Searchable } from './query.ts';
import { SERVER_DEFAULTS } from './server-defaults.ts';
import { type Shards, shardsOf } from './shards.ts';

/** An in-memory collection. Methods take request bodies and return the answer's `result`. */
export class Collection {
  readonly name: string;
  readonly indexes = new Map<string, Fields>();
  private readonly config: Fields;
  private readonly points = new Map<PointId, StoredPoint>();
  private readonly tieOrder: PointId[];
  readonly shards: Shards;

  constructor(name: string, config: Fields, tieOrder: PointId[] = []) {
    this.name = name;
    this.config = config;
    this.tieOrder = tieOrder;
    this.shards = shardsOf(Number(config.shard_number ?? 1));
  }

  info(): Fields {
    const { vectors, sparse_vectors, on_disk_payload, quantization_config, metadata, strict_mode_config } =
      this.config;
    return {
      status: 'green',
      optimizer_status: 'ok',
      indexed_vectors_count: 0,
      points_count: this.points.size,
      segments_count: 2,
      config: {
        params: {
          vectors,
          shard_number: this.config.shard_number ?? 1,
          replication_factor: this.config.replication_factor ?? 1,
          write_consistency_factor: this.config.write_consistency_factor ?? 1,
          on_disk_payload: on_disk_payload ?? true,
          sparse_vectors,
        },
        ...SERVER_DEFAULTS,
        quantization_config: quantization_config ?? null,
        strict_mode_config,
        metadata,
      },
      payload_schema: Object.fromEntries(
        [...this.indexes].map(([field, schema]) => [field, this.indexInfo(field, schema)]),
      ),
      update_queue: { length: 0 },
    };
  }

  cluster(): Fields {
    const local_shards = Array.from({ length: this.shards.count }, (_, shard_id) => ({
      shard_id,
      points_count: this.points.size,
      state: this.shards.lost.has(shard_id) ? 'Dead' : 'Active',
    }));
    return {
      peer_id: 1,
      shard_count: this.shards.count,
      local_shards,
      remote_shards: [],
      shard_transfers: [],
    };
  }

  patch(change: Fields): boolean {
    for (const key of ['metadata', 'strict_mode_config']) {
      if (isFields(change[key]))
        this.config[key] = { ...fieldsOf(this.config[key]), ...fieldsOf(change[key]) };
    }
    return true;
  }

  createIndex({ field_name, field_schema }: Fields): void {
    const schema = typeof field_schema === 'string' ? { type: field_schema } : fieldsOf(field_schema);
    this.indexes.set(
      String(field_name),
      typeof field_schema === 'string' ? { plain: true, ...schema } : schema,
    );
  }

  upsert({ points, update_filter }: Fields): void {
    const shapes = this.shapes();
    this.checkUpdateFilter(update_filter);
    const read = listOf(points)
      .map(fieldsOf)
      .map((point, at): StoredPoint => {
        const payload = isFields(point.payload) ? structuredClone(point.payload) : {};
        return { id: readId(point.id), vectors: readVectors(point.vector, shapes, at), payload };
      });
    for (const { id } of read) this.shards.check(id);
    for (const point of read) {
      const existing = this.points.get(point.id);
      if (existing === undefined || !isFields(update_filter) || passes(existing, update_filter)) {
        this.points.set(point.id, point);
      }
    }
  }

  updateVectors({ points, update_filter }: Fields): void {
    const shapes = this.shapes();
    this.checkUpdateFilter(update_filter);
    const read = listOf(points)
      .map(fieldsOf)
      .map((point, at) => {
        const existing = this.points.get(readId(point.id));
        if (existing === undefined)
          throw new Refusal(404, `Not found: No point with id ${String(point.id)} found`);
        return { existing, vectors: readVectors(point.vector, shapes, at) };
      });
    for (const { existing, vectors } of read) {
      if (isFields(update_filter) && !passes(existing, update_filter)) continue;
      for (const [name, vector] of vectors) existing.vectors.set(name, vector);
    }
  }

  deleteVectors(request: Fields): void {
    for (const point of this.selected(request)) {
      for (const name of listOf(request.vector)) point.vectors.delete(String(name));
    }
  }

  /** Keys set to null are removed. */
  setPayload(request: Fields): void {
    for (const { payload } of this.selected(request)) {
      for (const [key, value] of Object.entries(structuredClone(fieldsOf(request.payload)))) {
        if (value === null) delete payload[key];
        else payload[key] = value;
      }
    }
  }

  overwritePayload(request: Fields): void {
    for (const point of this.selected(request)) point.payload = structuredClone(fieldsOf(request.payload));
  }

  delete(request: Fields): void {
    const { points } = request;
    if (Array.isArray(points)) for (const id of points) this.points.delete(readId(id));
    else for (const point of this.selected(request)) this.points.delete(point.id);
  }

  retrieve({ ids, with_payload = true, with_vector }: Fields): Fields[] {
    const found = listOf(ids).flatMap((id) => {
      this.shards.check(readId(id));
      return this.points.get(readId(id)) ?? [];
    });
    return found.map((point) => record(point, with_payload, with_vector));
  }

  scroll(request: Fields): Fields {
    const { filter, offset, order_by, with_payload = true, with_vector } = request;
    const limit = Number(request.limit ?? 10);
    const found = this.filtered(filter).sort((a, b) => compareIds(a.id, b.id));
    if (order_by !== undefined && order_by !== null) {
      const ordered = this.ordered(found, isFields(order_by) ? order_by : { key: order_by }).slice(0, limit);
      const points = ordered.map(({ point, order_value }) => ({
        ...record(point, with_payload, with_vector),
        order_value,
      }));
      return { points, next_page_offset: null };
    }
    const start =
      offset === undefined || offset === null
        ? 0
        : found.findIndex(({ id }) => compareIds(id, readId(offset)) >= 0);
    const from = start < 0 ? [] : found.slice(start);
    const points = from.slice(0, limit).map((point) => record(point, with_payload, with_vector));
    return { points, next_page_offset: from[limit]?.id ?? null };
  }

  count({ filter }: Fields): Fields {
    return { count: this.filtered(filter).length };
  }

  facet({ key, filter, limit }: Fields): Fields {
    const name = String(key);
    if (!this.indexes.has(name)) {
      throw wrongInput(
        `No appropriate index for faceting: \`${name}\`. Please create one to facet on this field. Check https://qdrant.tech/documentation/concepts/indexing/#payload-index to see which payload schemas support Match conditions`,
      );
    }
    const counts = new Map<unknown, number>();
    for (const { payload } of this.filtered(filter)) {
      for (const value of new Set(valuesAt(payload, name))) {
        if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
      }
    }
    const hits = [...counts].map(([value, count]) => ({ value, count }));
    hits.sort((a, b) => b.count - a.count || (String(a.value) < String(b.value) ? -1 : 1));
    return { hits: hits.slice(0, Number(limit ?? 10)) };
  }

  query(request: Fields): Fields {
    this.checkFilter(request.filter);
    for (const one of listOf(request.prefetch)) this.checkFilter(fieldsOf(one).filter);
    const scored = limited(runQuery(this.searchable(), request), request);
    return { points: scored.map((one) => scoredPoint(one, request)) };
  }

  queryGroups(request: Fields): Fields {
    const groups = new Map<unknown, Fields[]>();
    for (const one of runQuery(this.searchable(), request)) {
      const [value] = valuesAt(one.point.payload, String(request.group_by));
      const hits = groups.get(value) ?? [];
      groups.set(value, hits);
      if (hits.length < Number(request.group_size ?? 3)) hits.push(scoredPoint(one, request));
    }
    const found = [...groups].map(([id, hits]) => ({ hits, id }));
    return { groups: found.slice(0, Number(request.limit ?? 10)) };
  }

  private shapes(): VectorShapes {
    const { vectors, sparse_vectors } = this.config;
    const named = isFields(vectors) && 'size' in vectors ? { '': vectors } : fieldsOf(vectors);
    const dense = Object.entries(named).map(([name, shape]) => {
      const { size, distance } = fieldsOf(shape);
      return [name, { size: Number(size), distance: String(distance) }] as const;
    });
    return { dense: new Map(dense), sparse: new Set(Object.keys(fieldsOf(sparse_vectors))) };
  }

  private searchable(): Searchable {
    const place = (id: PointId) => {
      const at = this.tieOrder.indexOf(id);
      return at < 0 ? this.tieOrder.length : at;
    };
    return {
      points: this.all(),
      shapes: this.shapes(),
      shardOf: ({ id }) => this.shards.of(id),
      compareTies: (a, b) =>
        place(a) - place(b) || (this.shards.count > 1 ? this.shards.compareTies(a, b) : compareIds(a, b)),
    };
  }

  private filtered(filter: unknown): StoredPoint[] {
    this.checkFilter(filter);
    return this.all().filter((point) => passes(point, filter));
  }

  private all(): StoredPoint[] {
    this.shards.checkAll();
    return [...this.points.values()];
  }

  /** The points to which an update applies, by id or by filter; an unknown id is an error. */
  private selected({ points, filter }: Fields): StoredPoint[] {
    if (!Array.isArray(points)) {
      this.checkUpdateFilter(filter);
      return this.all().filter((point) => passes(point, filter));
    }
    return points.map((id) => {
      const point = this.points.get(readId(id));
      if (point === undefined) throw new Refusal(404, `Not found: No point with id ${String(id)} found`);
      return point;
    });
  }

  private ordered(points: StoredPoint[], { key, direction, start_from }: Fields) {
    const type = this.indexes.get(String(key))?.type;
    if (type !== 'integer' && type !== 'float' && type !== 'datetime') {
      throw wrongInput(
        `No range index for \`order_by\` key: \`${String(key)}\`. Please create one to use \`order_by\`. Check https://qdrant.tech/documentation/concepts/indexing/#payload-index to see which payload schemas support Range conditions`,
      );
    }
    const placeOf = (value: unknown) =>
      typeof value === 'string' ? Date.parse(value) * 1000 : Number(value);
    const sign = direction === 'desc' ? -1 : 1;
    return (
      points
        .flatMap((point) =>
          valuesAt(point.payload, String(key))
            .filter((value) => value !== null)
            .map((value) => ({ point, order_value: placeOf(value) })),
        )
        // A value that the index does not contain orders nothing.
        .filter(({ order_value }) => !Number.isNaN(order_value))
        .filter(
          ({ order_value }) => start_from === undefined || sign * (order_value - placeOf(start_from)) >= 0,
        )
        .sort((a, b) => sign * (a.order_value - b.order_value) || compareIds(a.point.id, b.point.id))
    );
  }

  private checkFilter(filter: unknown): void {
    const { enabled, unindexed_filtering_retrieve } = fieldsOf(this.config.strict_mode_config);
    if (enabled === true && unindexed_filtering_retrieve === false)
      refuseUnindexed(filter, this.indexTypes());
  }

  private checkUpdateFilter(filter: unknown): void {
    const { enabled, unindexed_filtering_update } = fieldsOf(this.config.strict_mode_config);
    if (enabled === true && unindexed_filtering_update === false) refuseUnindexed(filter, this.indexTypes());
  }

  private indexTypes(): Map<string, string> {
    return new Map([...this.indexes].map(([field, { type }]) => [field, String(type)]));
  }

  private indexInfo(field: string, { plain, ...schema }: Fields): Fields {
    const points = [...this.points.values()].filter(
      ({ payload }) => valuesAt(payload, field).length > 0,
    ).length;
    return { data_type: schema.type, params: plain === true ? undefined : schema, points };
  }
}

/** Rejects a configuration without vectors. */
export function readConfig(body: unknown): Fields {
  if (!isFields(body)) throw formatError('expected a map');
  return structuredClone(body);
}

function record(point: StoredPoint, withPayload: unknown, withVector: unknown): Fields {
  const payload = showPayload(point.payload, withPayload);
  const vector = showVectors(point, withVector);
  return { id: point.id, payload, vector };
}

function scoredPoint({ point, score }: Scored, request: Fields): Fields {
  return { ...record(point, request.with_payload ?? false, request.with_vector), version: 0, score };
}
