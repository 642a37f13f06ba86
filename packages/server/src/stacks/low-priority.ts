// Loaded first in a thread whose work may wait.
import { constants, setPriority } from "node:os";
import process from "node:process";

// Linux takes 0 for the calling thread; other systems take it for the whole process. The lowest, because a server may itself
// have been started with a lower priority.
if (process.platform === "linux") setPriority(0, constants.priority.PRIORITY_LOW);
