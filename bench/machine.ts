import { availableParallelism, totalmem } from "node:os";
import process from "node:process";

export interface Machine {
  readonly cores: number;
  readonly memoryGib: number;
  readonly node: string;
  readonly platform: string;
}

/** What a result depends on, without the machine's name. */
export function machine(): Machine {
  return {
    cores: availableParallelism(),
    memoryGib: Math.round(totalmem() / 1024 ** 3),
    node: process.versions.node,
    platform: `${process.platform}-${process.arch}`,
  };
}
