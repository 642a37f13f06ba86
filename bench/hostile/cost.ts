import { readdirSync, readFileSync, writeFileSync } from "node:fs";

/** What a request took from a process and everything below it. */
export interface Cost {
  /** Sum over the processes of the largest resident memory during the request, less that of the idle server. */
  readonly memoryBytes: number;
  readonly cpuSeconds: number;
}

const ticksPerSecond = 100;

/**
 * Linux keeps each process's largest resident memory; writing 5 to clear_refs starts it again (proc_pid_clear_refs(5)).
 *
 * @param idle resident bytes of each process
 */
export async function costOf(
  pids: readonly number[],
  idle: readonly number[],
  work: () => Promise<void>,
): Promise<Cost> {
  for (const pid of pids) writeFileSync(`/proc/${pid}/clear_refs`, "5");
  const cpuBefore = pids.map(cpuOf);
  await work();
  const memory = pids.map((pid, i) => Math.max(0, residentOf(pid, "VmHWM") - (idle[i] ?? 0)));
  const cpu = pids.map((pid, i) => cpuOf(pid) - (cpuBefore[i] ?? 0));
  return {
    memoryBytes: memory.reduce((sum, bytes) => sum + bytes, 0),
    cpuSeconds: cpu.reduce((sum, seconds) => sum + seconds, 0),
  };
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

/** Resident bytes of a process: now, or the most there were. */
export function residentOf(pid: number, name: "VmRSS" | "VmHWM" = "VmRSS"): number {
  const kib = new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(
    readFileSync(`/proc/${pid}/status`, "utf8"),
  )?.[1];
  if (kib === undefined) throw new Error(`no ${name} of process ${pid}`);
  return Number(kib) * 1024;
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
