import { archiveSize } from '../../app/archive/archive-size.ts';
import { dayOf } from '../../app/extractor/read-session.ts';
import { countIdeas } from '../../app/memory/memory-stats.ts';
import { checkModel } from '../../app/setup/check-model.ts';
import type { Status } from '../../operations/reports.ts';
import type { Parts } from '../parts.ts';
import { modelFacts } from '../setup/model-facts.ts';
import { readWorkerStatus } from '../worker.ts';
import { databaseProblems } from './health.ts';

/** What the worker is doing, what is pending, and problems with the databases. */
export async function readStatus(parts: Parts): Promise<Status> {
  const { config } = parts;
  const problems = databaseProblems(config.home).map(({ problem }) => problem);
  const isReadable = problems.length === 0;
  const worker = readWorkerStatus(config.home);
  const archive = await archiveSize(parts.archive, config.archive);
  const server = isReadable ? ((await (await parts.sharing())?.state()) ?? null) : null;
  const local = isReadable && parts.localFile.exists() ? await parts.local() : null;
  const here = (await local?.count())?.waiting ?? { intents: 0, chunks: 0 };
  const ideas = local === null ? null : await countIdeas(local);
  const model = isReadable ? checkModel(await modelFacts(parts)) : null;
  const extractor = isReadable ? extractorState(parts) : null;
  return {
    automatic: config.autoIndex,
    worker,
    waiting: server?.embedding?.waiting ?? here,
    archive,
    server,
    problems,
    ideas,
    model,
    extractor,
  };
}

function extractorState({ config, machine, state }: Parts): Status['extractor'] {
  if (config.extractor === null) return null;
  const { kind, model, budget } = config.extractor;
  return {
    kind,
    model,
    today: state().modelUse(dayOf(machine.now())),
    calls_per_day: budget.callsPerDay,
    tokens_per_day: budget.tokensPerDay,
  };
}
