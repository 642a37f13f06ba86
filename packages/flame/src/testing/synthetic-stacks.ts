import type { StackTable } from "@flamekeep/profile";

export interface SyntheticSize {
  readonly stacks: number;
  readonly depth: number;
  readonly names: number;
}

/**
 * Stacks that look like a large Go service: shared prefixes, skewed values, long names. The same for the same size. 180,000 stacks, 77
 * deep, of 20,000 names make a tree of 1.17 million nodes.
 */
export function syntheticStacks({ stacks, depth, names }: SyntheticSize): StackTable {
  const random = linearCongruential(1);
  const functionName = Array.from(
    { length: names },
    (_, id) => `github.com/acme/svc${id % 97}/internal/pkg${id % 401}.(*Type${id % 1009}).Method${id}`,
  );
  const frame: number[] = [];
  const start = new Uint32Array(stacks + 1);
  const value = new Float64Array(stacks);
  const open: number[] = [];
  for (let stack = 0; stack < stacks; stack++) {
    open.length = Math.floor(open.length * random() ** 0.35);
    const length = Math.min(depth, open.length + 1 + Math.floor(random() * 12));
    while (open.length < length) open.push(Math.floor(names * random() ** 2));
    for (let at = open.length - 1; at >= 0; at--) frame.push(open[at]!);
    start[stack + 1] = frame.length;
    value[stack] = 1 + Math.floor(1000 * random() ** 8);
  }
  const line = Int32Array.from({ length: names }, (_, id) => 1 + (id % 500));
  return {
    sampleTypes: [{ type: "cpu", unit: "nanoseconds" }],
    frames: {
      length: names,
      functionName,
      file: functionName.map((_, id) => `internal/pkg${id % 401}/file${id % 3001}.go`),
      line,
      startLine: line,
    },
    length: stacks,
    start,
    frame: Uint32Array.from(frame),
    values: [value],
  };
}

function linearCongruential(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
