import { taskFile } from "#decoding/pool.ts";
import type * as contention from "./contention.ts";
import type * as custom from "./custom.ts";
import type * as goroutines from "./goroutines.ts";

/** The functions that the decoding thread runs for charts, by kind of chart. */
export const chartTasks = {
  goroutines: taskFile<typeof goroutines>(new URL("./goroutines.ts", import.meta.url)),
  contention: taskFile<typeof contention>(new URL("./contention.ts", import.meta.url)),
  custom: taskFile<typeof custom>(new URL("./custom.ts", import.meta.url)),
};
