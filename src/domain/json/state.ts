import * as z from 'zod';
import { JOB_EVENTS } from '../machine/job.ts';
import { UNREAD_REASONS } from '../session/unread.ts';
import { facet } from './search.ts';
import { workerRecord } from './worker-record.ts';

/** JSON schemas of `stats`, `status`, `doctor`, `config list`, `service status`, `export --bundle` and `import`. */

const waiting = z.object({ intents: z.number(), chunks: z.number() }).describe('passages not embedded yet');
const problem = z.object({ message: z.string(), hint: z.string().nullable() });

const archiveSizeShape = {
  enabled: z.boolean(),
  sessions: z.number(),
  bytes: z.number(),
  stored_bytes: z.number(),
  max_bytes: z.number(),
};

/** The answer of the MCP tool. The command adds `server`. */
export const statsShape = {
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
        text: z.string(),
      }),
    )
    .describe('what was not read on this machine, by reason'),
  by_repo: facet,
  by_month: facet,
  by_agent: facet,
  searches: z
    .object({
      since: z.string().nullable(),
      searches: z.number(),
      nothing_found: z.number().describe('without results, or without one that fits'),
      forks: z.number().describe('of results'),
      first_taken: z.number().describe('of the first result'),
    })
    .optional()
    .describe('searches on this machine'),
};

const serverStateShape = {
  address: z.string(),
  collection: z.string(),
  version: z.string().nullable(),
  layout: z.object({ shards: z.number(), replicas: z.number(), unavailable: z.array(z.number()) }).nullable(),
  sessions: z.number().nullable(),
  bytes: z.number().nullable(),
  read_only: z.boolean(),
  missing: z.boolean(),
  outbox: z.object({
    waiting: z.number(),
    failing: z.number(),
    since: z.string().nullable(),
    next_try: z.string().nullable(),
  }),
  problem: problem.nullable(),
  embedding: z.object({ model: z.string(), waiting, problem: problem.nullable() }).nullable(),
};

const sharedArchive = z.object(archiveSizeShape).omit({ max_bytes: true });

export const stats = z.object({
  ...statsShape,
  server: z.object({ ...serverStateShape, archive: sharedArchive.nullable() }).nullable(),
});

const failedJob = z.object({
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

/** A check by `doctor`, or one before a fork. */
export const checkShape = {
  name: z.string(),
  status: z.enum(['ok', 'note', 'warn', 'fail']),
  message: z.string(),
  fix: z.string().optional(),
};

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
  server: z.object(serverStateShape).nullable(),
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
});

export const doctor = z.object({ checks: z.array(z.object(checkShape)) });

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

const usageNumbers = {
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
};

export const sessionTokens = z.object({
  ...usageNumbers,
  without_price: z.array(z.string()).describe('models whose cost is not counted'),
});

const usageGroups = z.array(z.object({ value: z.string(), ...usageNumbers }));

export const usageReport = z.object({
  totals: z.object(usageNumbers),
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
      ...usageNumbers,
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
      id: z.string(),
      since: z.string(),
      last_used: z.string(),
      expires: z.string(),
      browser: z.string().nullable().describe('such as Firefox on Linux'),
    }),
  ),
});

export const endedLogins = z.object({ ended: z.array(z.string()).describe('ids of logins') });
