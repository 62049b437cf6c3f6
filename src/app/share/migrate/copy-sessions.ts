import { SmartForkError } from '../../../domain/errors.ts';
import type { SessionPayload } from '../../../domain/point/point.ts';
import type { LexicalTokenizer } from '../../../domain/search/lexical.ts';
import type { LocalStore } from '../../../ports/outbox.ts';
import { eachSession, type PointStore, type StoreInfo } from '../../../ports/point-store.ts';
import type { RemoteStore } from '../../../ports/remote-store.ts';
import { getSession } from '../../sessions/get-session.ts';
import { buildWholeChange } from '../send/build-change.ts';
import {
  emptyMigration,
  hasSameTexts,
  type MigrateOptions,
  type MigrationReport,
  verifyMigration,
} from './migrate-sessions.ts';

const VECTORS = 256;

/**
 * Copies all sessions from one store into another, with vectors, and then compares the stores. Can be interrupted at any time:
 * existing copies are not copied again. A session that the target has in another state is left as it is.
 */
export async function copySessions(
  deps: { from: PointStore; to: PointStore | LocalStore; tokenizer: LexicalTokenizer },
  options: MigrateOptions = {},
): Promise<MigrationReport> {
  const { from, to } = deps;
  const report = emptyMigration();
  const model = await modelToCopy(from, to);
  const { sessions: total } = await from.count();
  for await (const session of eachSession(from)) {
    if (options.without?.has(session.session_id) === true) continue;
    if (options.signal?.aborted === true) {
      report.interrupted = true;
      return report;
    }
    report.found += 1;
    await copySession({ ...deps, model }, session, report);
    options.onProgress?.({ unit: 'session', done: report.found, total });
  }
  if ('refresh' in to) await to.refresh(options.signal);
  await verifyMigration(from, to, report, options);
  return report;
}

type Model = StoreInfo['model'];

async function copySession(
  deps: { from: PointStore; to: PointStore; tokenizer: LexicalTokenizer; model: Model },
  session: SessionPayload,
  report: MigrationReport,
): Promise<void> {
  const { from, to, tokenizer, model } = deps;
  const { session_id: id, content_hash } = session;
  const there = await getSession(to, id);
  const isSame = there?.content_hash === content_hash && (await hasSameTexts(from, to, id));
  if (there !== null && !isSame) {
    report.left.push(id);
    return;
  }
  if (isSame) report.same += 1;
  else {
    const nothing = { contentHash: null, hashes: new Map<string, string>(), keep: false };
    const change = await buildWholeChange({ local: from, tokenizer }, session, id, nothing);
    const { conflicts } = await to.write([{ ...change, vectorsFollow: model !== null }]);
    report[conflicts.length === 0 ? 'copied' : 'same'] += 1;
  }
  if (model !== null) await copyVectors(from, to, model, id);
}

async function copyVectors(
  from: PointStore,
  to: PointStore,
  model: NonNullable<Model>,
  sessionId: string,
): Promise<void> {
  const ids = [...(await to.getHashes(sessionId)).keys()];
  const bare = (await to.getPoints(ids, { hasVector: true })).filter(({ hasVector }) => !hasVector);
  for (let at = 0; at < bare.length; at += VECTORS) {
    const slice = bare.slice(at, at + VECTORS);
    const stored = await from.getPoints(
      slice.map(({ id }) => id),
      { vectors: true },
    );
    const vectors = new Map(stored.map(({ id, vector }) => [id, vector]));
    const items = slice.flatMap(({ id, payload }) => {
      const vector = vectors.get(id);
      return vector === undefined ? [] : [{ id, contentHash: payload.content_hash, vector }];
    });
    if (items.length > 0) await to.setVectors(model, items);
  }
}

/**
 * The model whose vectors are copied; null if only texts are. Determined before anything is copied, because texts chunked for one model
 * and vectors of another do not go together. A store that embeds computes its own vectors where the source has none of its model.
 */
async function modelToCopy(from: PointStore, to: PointStore | RemoteStore): Promise<Model> {
  const [source, target] = await Promise.all([from.info(), to.info()]);
  if (source.model === null) return null;
  if ('embedding' in to && to.embedding !== undefined && to.embedding.model.id !== source.model.id)
    return null;
  if (target.model === null || source.model.id === target.model.id) return source.model;
  throw new SmartForkError(
    'MODEL_MISMATCH',
    `the sessions were embedded with ${source.model.id}, the target's with ${target.model.id}`,
    { hint: `Use one model on all machines: SMART_FORK_MODEL or embedding.model.` },
  );
}
