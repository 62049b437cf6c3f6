/** The requests to servers made by some work. */
export interface Watched {
  requests: number;
  /** Number of round trips; requests sent together count as one. */
  roundTrips: number;
  /** Size of the request bodies in bytes. */
  bytes: number;
  /** Size of the answers in bytes. */
  answered: number;
  /** Ids of points written as a whole. */
  points: string[];
  /** Time in ms during which the process was idle. */
  idle: number;
  /** CPU time in ms. */
  work: number;
  ms: number;
}

/** Observes every call of `fetch` during the work. */
export async function watchRequests(work: () => Promise<unknown>): Promise<Watched> {
  const real = globalThis.fetch;
  const watched: Watched = {
    requests: 0,
    roundTrips: 0,
    bytes: 0,
    answered: 0,
    points: [],
    idle: 0,
    work: 0,
    ms: 0,
  };
  let open = 0;
  globalThis.fetch = async (input, init) => {
    watched.requests += 1;
    if (open === 0) watched.roundTrips += 1;
    open += 1;
    if (typeof init?.body === 'string') {
      watched.bytes += Buffer.byteLength(init.body);
      watched.points.push(...writtenPoints(init.body));
    }
    const response = await real(input, init).finally(() => {
      open -= 1;
    });
    watched.answered += (await response.clone().arrayBuffer()).byteLength;
    return response;
  };
  const started = performance.now();
  const cpu = process.cpuUsage();
  const before = performance.eventLoopUtilization();
  try {
    await work();
  } finally {
    globalThis.fetch = real;
  }
  watched.ms = performance.now() - started;
  watched.idle = performance.eventLoopUtilization(before).idle;
  const { user, system } = process.cpuUsage(cpu);
  watched.work = (user + system) / 1000;
  return watched;
}

interface Body {
  points?: unknown;
  operations?: { upsert?: { points?: unknown } }[];
}

function writtenPoints(text: string): string[] {
  const body = JSON.parse(text) as Body;
  const lists = [body.points, ...(body.operations ?? []).map(({ upsert }) => upsert?.points)];
  return lists.flatMap((list) => (Array.isArray(list) ? list : [])).flatMap((point) => point?.id ?? []);
}
