import type { CallTree } from "@flamekeep/flame";
import { percentOf, placeText, printableName, quantityText } from "./quantity.ts";

interface TreeOptions {
  readonly unit: string;
  readonly total: number;
  readonly linesMax: number;
  /** Frames with a smaller share are left out. */
  readonly shareMin: number;
}

/** A frame, or several of one function as one. A graph can have two million: callees are found when they are printed. */
interface Frame {
  readonly name: string;
  readonly place: string;
  readonly self: number;
  readonly total: number;
  /** The widest first. */
  readonly callees: () => readonly Frame[];
}

/** An indented call tree, the widest callees first. If there are too many frames, only the widest of the whole tree. */
export function treeText(root: Frame, options: TreeOptions): string {
  const printed = widest(root, options);
  const lines: string[] = [];
  const print = (frame: Frame, depth: number): void => {
    lines.push(lineOf(frame, depth, options));
    for (const callee of printed.get(frame) ?? []) print(callee, depth + 1);
  };
  print(root, 0);
  return lines.join("\n");
}

/** The widest frames with their printed callees: a frame is at least as wide as what it calls, so the next one is a callee of these. */
function widest(root: Frame, { total, linesMax, shareMin }: TreeOptions): Map<Frame, Frame[]> {
  const printed = new Map<Frame, Frame[]>();
  const next: { readonly frame: Frame; readonly caller: Frame | undefined }[] = [
    { frame: root, caller: undefined },
  ];
  while (printed.size < linesMax && next.length > 0) {
    const at = next.reduce(
      (best, { frame }, index) => (frame.total > next[best]!.frame.total ? index : best),
      0,
    );
    const [{ frame, caller }] = next.splice(at, 1) as [(typeof next)[number]];
    printed.set(frame, []);
    if (caller !== undefined) printed.get(caller)?.push(frame);
    for (const callee of frame.callees()) {
      if (callee.total < total * shareMin) break;
      next.push({ frame: callee, caller: frame });
    }
  }
  return printed;
}

function lineOf(
  { name, place, self, total }: Frame,
  depth: number,
  { unit, total: whole }: TreeOptions,
): string {
  const own = self === 0 ? "" : `, self ${quantityText(self, unit)}`;
  const share = `${percentOf(total, whole)} ${quantityText(total, unit)}`;
  return `${"  ".repeat(depth)}${share}${own}  ${printableName(name)}${place}`;
}

/** A frame of several nodes of one function; their callees are merged by function. */
export function frameOf(tree: CallTree, nodes: readonly number[]): Frame {
  const { functions, fn, firstChild, line } = tree;
  const [first = 0] = nodes;
  const sum = (column: Float64Array) => nodes.reduce((value, node) => value + column[node]!, 0);
  return {
    name: functions.name[fn[first]!]!,
    place: placeText(functions.file[fn[first]!]!, line[first]!),
    self: sum(tree.self),
    total: sum(tree.total),
    callees() {
      const byFunction = new Map<number, number[]>();
      for (const node of nodes)
        for (let child = firstChild[node]!; child < firstChild[node + 1]!; child++) {
          const same = byFunction.get(fn[child]!);
          if (same === undefined) byFunction.set(fn[child]!, [child]);
          else same.push(child);
        }
      return [...byFunction.values()].map((same) => frameOf(tree, same)).sort((a, b) => b.total - a.total);
    },
  };
}

/**
 * All call trees below a function, merged into one. Undefined if the function does not occur. Where the tree does not have all frames, values
 * are at least these, except for the total of a single function.
 */
export function focusedOn(tree: CallTree, isFocus: (name: string) => boolean): Frame | undefined {
  const { columns, functions, fn, parent, length } = tree;
  const wanted = Uint32Array.from(functions.name.keys()).filter(
    (id) => id > 0 && isFocus(functions.name[id]!),
  );
  if (wanted.length === 0) return undefined;
  const isWanted = new Uint8Array(functions.length);
  for (const id of wanted) isWanted[id] = 1;
  const isInside = new Uint8Array(length);
  const found: number[] = [];
  for (let node = 1; node < length; node++) {
    if (isInside[parent[node]!] === 1) isInside[node] = 1;
    else if (isWanted[fn[node]!] === 1) {
      isInside[node] = 1;
      found.push(node);
    }
  }
  const [first = 0] = wanted;
  const place = { name: functions.name[first]!, place: placeText(functions.file[first]!, 0) };
  const frame = found.length > 0 ? frameOf(tree, found) : { ...place, self: 0, total: 0, callees: () => [] };
  const allFrames = columns[0]?.allFrames;
  if (allFrames === undefined) return frame;
  return { ...frame, total: wanted.reduce((most, id) => Math.max(most, allFrames.total[id]!), frame.total) };
}
