import type { StackTable } from "@flamekeep/profile";

/** The stacks with a function for each of its lines, named `pkg.Func:12`: calls from different lines become different frames. */
export function byLine(stacks: StackTable): StackTable {
  const { frames } = stacks;
  const withLine = (name: string, frame: number) =>
    frames.line[frame] > 0 ? `${name}:${frames.line[frame]}` : name;
  const functionName = frames.functionName.map(withLine);
  const storedName = frames.storedName?.map(withLine);
  // The content ids belong to the original frames, so they are dropped.
  const { ids: _, ...columns } = frames;
  const { ids: __, ...table } = stacks;
  return { ...table, frames: { ...columns, functionName, ...(storedName && { storedName }) } };
}

/** The stacks with a function for each copy of a generic Go function, under its whole name: `slices.Max[go.shape.int]`. */
export function byInstantiation(stacks: StackTable): StackTable {
  return { ...stacks, frames: { ...stacks.frames, hasInstantiations: true } };
}

/** The stacks of a graph with the frames that they are stored with, which have no other name, file or line: what a profile of them needs. */
export function byStoredFrame(grouped: StackTable, stacks: StackTable): StackTable {
  return { ...grouped, frames: { ...grouped.frames, ungrouped: stacks.frames } };
}
