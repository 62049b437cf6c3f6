import type { Schemas as All } from '@qdrant/js-client-rest';

/** The server's types, generated from its API description. */
export type Schemas = All;
export type Filter = Schemas['Filter'];
export type PointStruct = Schemas['PointStruct'];
export type UpdateOperation = Schemas['UpdateOperation'];
export type QueryRequest = Schemas['QueryRequest'];
export type ScoredPoint = Schemas['ScoredPoint'];
export type PointRecord = Schemas['Record'];
