/** Milliseconds of processor time that synchronous work takes: unlike elapsed time, it hardly depends on the machine's other load. */
export function cpuTime(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
