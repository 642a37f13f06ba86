// Loaded first in a thread whose work may wait.
import { constants, getPriority, setPriority } from "node:os";
import process from "node:process";

// Linux takes 0 for the calling thread; other systems take it for the whole process.
if (process.platform === "linux") {
  const lower = constants.priority.PRIORITY_BELOW_NORMAL;
  // Only root may raise a priority, which this would do in a server that was started with a lower one.
  if (getPriority(0) < lower) setPriority(0, lower);
}
