import process from "node:process";

/** CPU time of one call in microseconds, garbage collection included: the mean over as many calls as `minimumUs` takes. */
export function cpuPerCall(work: () => unknown, minimumUs = 20_000): number {
  work();
  let calls = 0;
  const before = process.cpuUsage();
  for (;;) {
    work();
    calls++;
    const { user, system } = process.cpuUsage(before);
    if (user + system >= minimumUs) return (user + system) / calls;
  }
}
