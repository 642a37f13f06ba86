import type { StackTable } from "#model/stack-table.ts";

/** Nodes of the call tree by function name, the root not counted; of a column, those with a value. */
export function treeNodes(stacks: StackTable, column?: ArrayLike<number | bigint>): number {
  const nameIds = new Map<string, number>();
  const nameOf = Array.from({ length: stacks.frames.length }, (_, frame) => {
    const name = stacks.frames.functionName[frame];
    if (!nameIds.has(name)) nameIds.set(name, nameIds.size);
    return nameIds.get(name)!;
  });
  const children = new Map<number, number>();
  let nodes = 0;
  for (let i = 0; i < stacks.length; i++) {
    if (column !== undefined && Number(column[i]) === 0) continue;
    let node = 0;
    for (let j = stacks.start[i + 1] - 1; j >= stacks.start[i]; j--) {
      const key = node * nameIds.size + nameOf[stacks.frame[j]];
      let child = children.get(key);
      if (child === undefined) {
        child = ++nodes;
        children.set(key, child);
      }
      node = child;
    }
  }
  return nodes;
}
