import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import process from "node:process";

export interface MemoryGroup {
  readonly path: string;
  /** Processes that the system ended because the group's memory ran out. */
  killed(): number;
  remove(): void;
}

/** A control group of either version whose processes share so much memory; undefined where this user cannot make one. */
export function memoryGroup(megabytes: number): MemoryGroup | undefined {
  for (const [parent, limit, events] of [
    ["/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.oom_control"],
    ["/sys/fs/cgroup", "memory.max", "memory.events"],
  ] as const) {
    const path = `${parent}/flamekeep-test-${process.pid}-${megabytes}`;
    try {
      mkdirSync(path);
      writeFileSync(`${path}/${limit}`, String(megabytes * 2 ** 20));
      return {
        path,
        killed: () => Number(/^oom_kill (\d+)$/m.exec(readFileSync(`${path}/${events}`, "utf8"))?.[1]),
        remove: () => rmdirSync(path),
      };
    } catch {
      // The other version, or a user without the right.
    }
  }
  return undefined;
}

/** The command, in the group. */
export function inGroup({ path }: MemoryGroup, ...command: readonly string[]) {
  return ["sh", "-c", `echo $$ > ${path}/cgroup.procs && exec "$@"`, "sh", ...command] as const;
}
