import { getPriority } from "node:os";

/** Nice value of the thread that runs this. */
export function priority(_: undefined): number {
  return getPriority(0);
}
