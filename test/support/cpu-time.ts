/** Milliseconds of CPU time that synchronous work takes. Unlike elapsed time, it hardly depends on other load on the machine. */
export function cpuTime(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
