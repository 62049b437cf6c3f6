import * as z from 'zod';
import { JOB_EVENTS } from '../machine/job.ts';
import { UNREAD_REASONS } from '../session/unread.ts';
import { notices } from './notice.ts';
import { facet } from './search.ts';
import { workerRecord } from './worker-record.ts';

/** JSON schemas of `stats`, `status`, `doctor`, `config list`, `service status`, `export --bundle` and `import`. */

const waiting = z.object({ intents: z.number(), chunks: z.number() }).describe('passages not embedded yet');
const problem = z.object({ message: z.string(), hint: z.string().nullable() });

const archiveSizeShape = {
  enabled: z.boolean(),
  sessions: z.number(),
  bytes: z.number().describe('uncompressed'),
  stored_bytes: z.number(),
  max_bytes: z.number(),
};

/** The shared server, and what has not been sent to it yet. */
export const serverState = z.object({
  address: z.string(),
  collection: z.string(),
  version: z.string().nullable().describe('null if the server did not answer, or does not report it'),
  layout: z
    .object({
      shards: z.number(),
      replicas: z.number().describe('copies of each shard'),
      unavailable: z.array(z.number()).describe('the shards without a reachable copy'),
    })
    .nullable()
    .describe('null for one shard with one copy, or if the server did not answer'),
  sessions: z.number().nullable(),
  bytes: z.number().nullable().describe('an estimate: the server does not report it'),
  read_only: z.boolean().describe('the collection belongs to the Python program, so nothing is sent to it'),
  missing: z.boolean().describe('the first machine to send creates the collection'),
  outbox: z.object({
    waiting: z.number().describe('sessions to be sent'),
    failing: z.number().describe('those that the server refused'),
    since: z.string().nullable(),
    next_try: z.string().nullable(),
  }),
  problem: problem.nullable(),
  embedding: z
    .object({ model: z.string(), waiting, problem: problem.nullable() })
    .nullable()
    .describe("the server's own; null if machines embed, or if the server did not answer"),
});

export const sharedArchive = z.object(archiveSizeShape).omit({ max_bytes: true });

export const stats = z.object({
  sessions: z.number(),
  chunks: z.number(),
  intents: z.number(),
  vectors: z.number(),
  waiting: waiting.describe('passages not embedded yet, of all sessions'),
  store: z.object({
    kind: z.string(),
    location: z.string(),
    bytes: z.number(),
    model: z.string().nullable(),
  }),
  archive: z.object(archiveSizeShape).describe('archived transcripts on this machine'),
  last_synced: z.string().nullable(),
  unread: z
    .array(
      z.object({
        reason: z.enum(UNREAD_REASONS),
        count: z.number().describe('lines, or files that are not read at all'),
        file_count: z.number(),
        files: z.array(z.string()).describe('the first of them'),
        summary: z.string().describe('in words, without the files'),
        text: z.string().describe('with them'),
      }),
    )
    .describe('what was not read on this machine, by reason'),
  by_repo: facet,
  by_month: facet,
  by_agent: facet,
  searches: z
    .object({
      since: z.string().nullable().describe('the first counted search; null if none was'),
      searches: z.number(),
      nothing_found: z.number().describe('without results, or without one that fits'),
      forks: z.number().describe('of results'),
      first_taken: z.number().describe('of the first result'),
    })
    .optional()
    .describe('how often searches on this machine helped'),
  server: serverState.extend({ archive: sharedArchive.nullable() }).nullable(),
  notices,
});

/** A job that failed too often; null when the file is not a job. */
export const failedJob = z.object({
  name: z.string(),
  job: z
    .object({
      event: z.enum(JOB_EVENTS),
      transcriptPath: z.string().nullable(),
      sessionId: z.string().nullable(),
      at: z.string(),
    })
    .nullable(),
  reason: z.string(),
  tries: z.number(),
  failedAt: z.string(),
});

/** A check by `doctor`, or one before a fork. `note`: nothing is wrong, but the user may want to change something. */
export const check = z.object({
  name: z.string(),
  status: z.enum(['ok', 'note', 'warn', 'fail']),
  message: z.string(),
  fix: z.string().optional(),
});

export const status = z.object({
  automatic: z.boolean(),
  worker: z.object({
    running: z.boolean(),
    record: workerRecord.nullable(),
    waiting: z.number(),
    delayed: z.number(),
    failed: z.number(),
    failures: z.array(failedJob),
  }),
  waiting,
  archive: z.object(archiveSizeShape),
  server: serverState.nullable(),
  problems: z.array(problem),
  ideas: z.object({ all: z.number(), open_todos: z.number() }).nullable(),
  extractor: z
    .object({
      kind: z.enum(['agent', 'endpoint']),
      model: z.string(),
      today: z.object({ calls: z.number(), tokens: z.number(), ideas: z.number(), dropped: z.number() }),
      calls_per_day: z.number(),
      tokens_per_day: z.number(),
    })
    .nullable()
    .describe('the model that reads sessions, and what it used today; null: none'),
  notices,
});

export const doctor = z.object({ checks: z.array(check) });

export const settingsList = z.object({
  path: z.string(),
  settings: z.array(
    z.object({
      key: z.string(),
      value: z.unknown(),
      origin: z.enum(['default', 'config.json', '.env', 'environment']),
      description: z.string(),
    }),
  ),
});

const usageNumbersShape = {
  sessions: z.number(),
  requests: z.number().describe('requests to a model'),
  input_tokens: z.number().describe('without those read from or written to the cache'),
  output_tokens: z.number(),
  cache_read_tokens: z.number(),
  cache_write_tokens: z.number(),
  cost: z
    .number()
    .optional()
    .describe('in US dollars, of the requests to models with a price; absent if no request has one'),
  unpriced_requests: z.number().describe('requests to models without a price, which are not in the cost'),
  partial_requests: z
    .number()
    .describe(
      'requests whose transcript has no final number of output tokens: output and cost are at least these',
    ),
};

export const usageNumbers = z.object(usageNumbersShape);

export const sessionTokens = z.object({
  ...usageNumbersShape,
  without_price: z.array(z.string()).describe('models whose cost is not counted'),
});

const usageGroups = z.array(z.object({ value: z.string(), ...usageNumbersShape }));

export const usageReport = z.object({
  totals: usageNumbers,
  by_model: usageGroups,
  by_agent: usageGroups,
  by_repo: usageGroups,
  by_day: usageGroups.describe('newest first'),
  by_hour: z
    .array(z.object({ weekday: z.number(), hour: z.number(), requests: z.number() }))
    .describe('requests by hour of the week; weekday 0 is Monday'),
  rows: z.array(
    z.object({
      date: z.string(),
      agent: z.string(),
      model: z.string().nullable(),
      repo: z.string(),
      ...usageNumbersShape,
    }),
  ),
  without_price: z.array(z.string()).describe('models whose cost is not counted'),
  prices: z
    .object({ currency: z.literal('USD'), source: z.string(), date: z.string() })
    .describe('the list of prices for models without a price in usage.prices'),
});

export const loginList = z.object({
  logins: z.array(
    z.object({
      id: z.string().describe('names the login, but does not give access'),
      since: z.string(),
      last_used: z.string().describe('to the minute'),
      expires: z.string(),
      browser: z.string().nullable().describe('such as Firefox on Linux'),
    }),
  ),
});

export const endedLogins = z.object({ ended: z.array(z.string()).describe('ids of logins') });
