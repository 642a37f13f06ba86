import type { StackTable } from "@flamekeep/profile";

/** The stacks with a function for each of its lines, named `pkg.Func:12`: calls from different lines become different frames. */
export function byLine(stacks: StackTable): StackTable {
  const { frames } = stacks;
  const functionName = frames.functionName.map((name, frame) =>
    frames.line[frame] > 0 ? `${name}:${frames.line[frame]}` : name,
  );
  // The content ids belong to the original frames, so they are dropped.
  const { ids: _, ...columns } = frames;
  const { ids: __, ...table } = stacks;
  return { ...table, frames: { ...columns, functionName } };
}

/** The stacks with a function for each copy of a generic Go function, under its whole name: `slices.Max[go.shape.int]`. */
export function byInstantiation(stacks: StackTable): StackTable {
  return { ...stacks, frames: { ...stacks.frames, hasInstantiations: true } };
}
