import { readdirSync, readFileSync } from "node:fs";
import process from "node:process";

export interface Usage {
  readonly residentBytes: number;
  readonly cpuSeconds: number;
  readonly processes: number;
}

interface ProcessFacts {
  readonly parent: number;
  readonly cpuSeconds: number;
}

const ticksPerSecond = 100;

/** Memory and CPU of a process and everything below it, from Linux's /proc. Files that several of them map count once. */
export function usageOf(pid: number): Usage {
  const all = new Map(
    readdirSync("/proc").flatMap((name) => {
      const facts = /^\d+$/.test(name) ? factsOf(name) : undefined;
      return facts === undefined ? [] : [[Number(name), facts] as const];
    }),
  );
  const tree = [...all].filter(([each]) => isBelow(all, each, pid));
  if (tree.length === 0) throw new Error(`no process ${pid}`);
  return {
    residentBytes: residentOf(tree.map(([each]) => each)),
    cpuSeconds: tree.reduce((sum, [, { cpuSeconds }]) => sum + cpuSeconds, 0),
    processes: tree.length,
  };
}

export function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").split(" ").filter(Boolean).map(Number),
  );
}

/** Reads the CPU time of this process and of others in milliseconds, far more precisely than `usageOf`. Their threads must not end. */
export function cpuMsOf(others: readonly number[]): () => number {
  return () => {
    const { user, system } = process.cpuUsage();
    const ofOthers = others.flatMap((pid) =>
      readdirSync(`/proc/${pid}/task`).map((task) => runNs(`/proc/${pid}/task/${task}/schedstat`)),
    );
    return (user + system) / 1e3 + ofOthers.reduce((sum, ns) => sum + ns, 0) / 1e6;
  };
}

function runNs(file: string): number {
  try {
    return Number(readFileSync(file, "utf8").split(" ", 1)[0]);
  } catch {
    // The thread has just ended.
    return 0;
  }
}

/** Undefined where the process has just ended. Fields as in proc_pid_stat(5), counted behind the command's name. */
function factsOf(pid: string): ProcessFacts | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    const [parent = 0, user = 0, system = 0] = [fields[1], fields[11], fields[12]];
    const cpuSeconds = (user + system) / ticksPerSecond;
    return { parent, cpuSeconds };
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

interface Mapping {
  /** Path of the mapped file; undefined for anonymous memory. */
  readonly file: string | undefined;
  readonly residentBytes: number;
  readonly anonymousBytes: number;
}

/**
 * Memory of all processes together: what is anonymous in each, and the pages of each mapped file once, as many as the process
 * that has most of them. Other processes that map the same files change nothing, as they do for Pss.
 */
function residentOf(pids: readonly number[]): number {
  const fileBytes = new Map<string, number>();
  let anonymousBytes = 0;
  for (const pid of pids) {
    const own = new Map<string, number>();
    for (const mapping of mappingsOf(pid)) {
      anonymousBytes += mapping.anonymousBytes;
      if (mapping.file === undefined) continue;
      const bytes = mapping.residentBytes - mapping.anonymousBytes;
      own.set(mapping.file, (own.get(mapping.file) ?? 0) + bytes);
    }
    for (const [file, bytes] of own) fileBytes.set(file, Math.max(bytes, fileBytes.get(file) ?? 0));
  }
  return anonymousBytes + [...fileBytes.values()].reduce((sum, bytes) => sum + bytes, 0);
}

/** From proc_pid_smaps(5): a header with address, mode, offset, device, inode and path; then lines of fields. */
function mappingsOf(pid: number): Mapping[] {
  let smaps: string;
  try {
    smaps = readFileSync(`/proc/${pid}/smaps`, "utf8");
  } catch {
    // The process has just ended.
    return [];
  }
  return smaps.split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m).map((entry) => {
    const path = /^\S+ \S+ \S+ \S+ \d+ +(\/.*)$/m.exec(entry)?.[1];
    return { file: path, residentBytes: bytesOf(entry, "Rss"), anonymousBytes: bytesOf(entry, "Anonymous") };
  });
}

function bytesOf(entry: string, field: string): number {
  const kib = new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(entry)?.[1];
  return Number(kib ?? 0) * 1024;
}
