const TIMEOUT_MS = 2000;

/** Whether a server answers at this URL, whatever it says. */
export async function isAnswering(url: string): Promise<boolean> {
  try {
    await (await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'manual' })).body?.cancel();
    return true;
  } catch {
    // Nothing is listening, or the server hangs.
    return false;
  }
}
