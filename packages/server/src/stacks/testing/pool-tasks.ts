import { getPriority } from "node:os";

/** Nice value of the thread that runs this. */
export function priority(_: undefined): number {
  return getPriority(0);
}

/** Reports that it began, and never ends. */
export function endless(began: Int32Array): never {
  Atomics.store(began, 0, 1);
  Atomics.notify(began, 0);
  for (;;) began[0] = 1;
}

/** Keeps objects until there is no memory left. */
export function greedy(_: undefined): never {
  const kept: object[] = [];
  for (;;) kept.push({ at: kept.length });
}
