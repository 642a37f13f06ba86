import { availableParallelism, loadavg, totalmem } from "node:os";
import process from "node:process";

export interface Machine {
  readonly cores: number;
  readonly memoryGib: number;
  readonly node: string;
  readonly platform: string;
  /** Mean of the last minute. Above zero somebody else was working too, and times and rates say less. */
  readonly loadBefore: number;
}

/** Properties of the machine that results depend on, without its name. */
export function machine(): Machine {
  return {
    cores: availableParallelism(),
    memoryGib: Math.round(totalmem() / 1024 ** 3),
    node: process.versions.node,
    platform: `${process.platform}-${process.arch}`,
    loadBefore: Number((loadavg()[0] ?? 0).toFixed(1)),
  };
}
