import { readdirSync, readFileSync, writeFileSync } from "node:fs";

/** CPU and memory of all processes of a server together. */
export interface Taken {
  readonly anonymousBytes: number;
  readonly cpuSeconds: number;
}

const ticksPerSecond = 100;

/** Linux keeps each process's largest resident memory; writing 5 to clear_refs starts it again (proc_pid_clear_refs(5)). */
export function startPeaks(pids: readonly number[]): void {
  for (const pid of pids) writeFileSync(`/proc/${pid}/clear_refs`, "5");
}

/**
 * CPU since the start of the processes, and the sum of their largest anonymous memory since `startPeaks`. The kernel keeps
 * the peak of all resident memory only: pages of files, which hardly change in a warm server, are subtracted as of now.
 */
export function takenBy(pids: readonly number[]): Taken {
  const peaks = pids.map((pid) => {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return kibIn(status, "VmHWM") - kibIn(status, "RssFile") - kibIn(status, "RssShmem");
  });
  return { anonymousBytes: sum(peaks) * 1024, cpuSeconds: sum(pids.map(cpuOf)) };
}

/** The process and all below it. */
export function processTree(pid: number): number[] {
  const parents = new Map(
    readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => {
        const stat = statOf(Number(name));
        return stat === undefined ? [] : [[Number(name), stat[1] ?? 0] as const];
      }),
  );
  const tree = [pid];
  for (const each of tree)
    tree.push(...[...parents].filter(([, parent]) => parent === each).map(([child]) => child));
  return tree;
}

function kibIn(status: string, name: string): number {
  const kib = new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status)?.[1];
  if (kib === undefined) throw new Error(`no ${name} in /proc/PID/status`);
  return Number(kib);
}

function cpuOf(pid: number): number {
  const stat = statOf(pid);
  if (stat === undefined) throw new Error(`process ${pid} has ended`);
  return ((stat[11] ?? 0) + (stat[12] ?? 0)) / ticksPerSecond;
}

/** Fields of proc_pid_stat(5), counted behind the command's name. */
function statOf(pid: number): number[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
  } catch {
    return undefined;
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
