/** An expensive resource that is opened on first use, shared, and released when idle. */
interface KeptOpen<T> {
  use<R>(work: (opened: T) => Promise<R>): Promise<R>;
  /** Releases the resource after the last use; a later `use` opens it again. */
  close(): Promise<void>;
}

interface KeepOpenOptions<T> {
  open(): Promise<T>;
  release(opened: T): Promise<void>;
  idleMs: number;
}

export function keepOpen<T>({ open, release, idleMs }: KeepOpenOptions<T>): KeptOpen<T> {
  let current: Lease<T> | undefined;
  let idle: NodeJS.Timeout | undefined;

  function take(): Lease<T> {
    clearTimeout(idle);
    current ??= openLease();
    return current;
  }

  function openLease(): Lease<T> {
    const lease = { opened: open(), users: new Set<Promise<unknown>>() };
    // Current callers get the error; the next call tries again.
    lease.opened.catch(() => {
      if (current === lease) current = undefined;
    });
    return lease;
  }

  async function close(): Promise<void> {
    clearTimeout(idle);
    const lease = current;
    if (lease === undefined) return;
    current = undefined;
    await Promise.allSettled(lease.users);
    const opened = await lease.opened.then(
      (value) => ({ value }),
      () => undefined,
    );
    if (opened) await release(opened.value);
  }

  async function use<R>(work: (opened: T) => Promise<R>): Promise<R> {
    const lease = take();
    const running = lease.opened.then(work);
    lease.users.add(running);
    try {
      return await running;
    } finally {
      lease.users.delete(running);
      if (lease === current && lease.users.size === 0) idle = closeLater();
    }
  }

  function closeLater(): NodeJS.Timeout {
    // Nothing awaits this; after a failed release, the end of the process frees the resource.
    return setTimeout(() => close().catch(() => undefined), idleMs).unref();
  }

  return { use, close };
}

interface Lease<T> {
  opened: Promise<T>;
  users: Set<Promise<unknown>>;
}
