/** CPU use of this process over the last few seconds, in percent of one core. */
export interface CpuMeter {
  percent(): number;
  stop(): void;
}

const windowMs = 5_000;

export function startCpuMeter(): CpuMeter {
  let before = reading();
  let percent = percentBetween({ atMs: before.atMs - process.uptime() * 1000, cpuMs: 0 }, before);
  const timer = setInterval(() => {
    const now = reading();
    percent = percentBetween(before, now);
    before = now;
  }, windowMs);
  timer.unref();
  return { percent: () => percent, stop: () => clearInterval(timer) };
}

interface Reading {
  readonly atMs: number;
  readonly cpuMs: number;
}

function reading(): Reading {
  const { user, system } = process.cpuUsage();
  return { atMs: performance.now(), cpuMs: (user + system) / 1000 };
}

/** One decimal. */
export function percentBetween(before: Reading, after: Reading): number {
  const elapsed = after.atMs - before.atMs;
  return elapsed <= 0 ? 0 : Math.round((1000 * (after.cpuMs - before.cpuMs)) / elapsed) / 10;
}
