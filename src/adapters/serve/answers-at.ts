const TIMEOUT_MS = 2000;

/** Whether a server answers there, whatever it says. */
export async function answersAt(url: string): Promise<boolean> {
  try {
    await (await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'manual' })).body?.cancel();
    return true;
  } catch {
    // Nobody listens, or it hangs.
    return false;
  }
}
