import { readdirSync, readFileSync } from "node:fs";

export interface Usage {
  readonly residentBytes: number;
  readonly cpuSeconds: number;
  readonly processes: number;
}

interface ProcessFacts {
  readonly parent: number;
  readonly residentBytes: number;
  readonly cpuSeconds: number;
}

const ticksPerSecond = 100;
const pageBytes = 4096;

/** Memory and CPU of a process and everything below it, from Linux's /proc. Memory they share counts once. */
export function usageOf(pid: number): Usage {
  const all = new Map(
    readdirSync("/proc").flatMap((name) => {
      const facts = /^\d+$/.test(name) ? factsOf(name) : undefined;
      return facts === undefined ? [] : [[Number(name), facts] as const];
    }),
  );
  const tree = [...all]
    .filter(([each]) => isBelow(all, each, pid))
    .map(([each, facts]) => ({ ...facts, residentBytes: shareOf(each) ?? facts.residentBytes }));
  if (tree.length === 0) throw new Error(`no process ${pid}`);
  return {
    residentBytes: tree.reduce((sum, { residentBytes }) => sum + residentBytes, 0),
    cpuSeconds: tree.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
    processes: tree.length,
  };
}

/** Undefined where the process has just ended. Fields as in proc_pid_stat(5), counted behind the command's name. */
function factsOf(pid: string): ProcessFacts | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    const [parent = 0, user = 0, system = 0, pages = 0] = [fields[1], fields[11], fields[12], fields[21]];
    const cpuSeconds = (user + system) / ticksPerSecond;
    return { parent, cpuSeconds, residentBytes: pages * pageBytes };
  } catch {
    return undefined;
  }
}

function isBelow(all: ReadonlyMap<number, ProcessFacts>, pid: number, ancestor: number): boolean {
  for (let at: number | undefined = pid; at !== undefined && at > 0; at = all.get(at)?.parent) {
    if (at === ancestor) return true;
  }
  return false;
}

/** The part of its resident memory that is a process's own, and its share of what it shares with others (Pss). */
function shareOf(pid: number): number | undefined {
  try {
    const kib = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1];
    return kib === undefined ? undefined : Number(kib) * 1024;
  } catch {
    return undefined;
  }
}
