import type { FrameFunctions } from "./frame-functions.ts";
import { isAnonymous } from "./function-name.ts";
import { sourcePath } from "./source-path.ts";

/** Sides of a comparison that have a function: bits of a mask. */
export const side = { before: 1, after: 2 } as const;

type Functions = Pick<FrameFunctions, "name" | "file" | "startLine">;

/** A function that only one side has under its key. */
interface OneSided {
  readonly id: number;
  readonly isAfter: boolean;
  readonly name: string;
  readonly folders: readonly string[];
  /** 0 where it does not tell functions apart. */
  readonly line: number;
}

/** Longer common ends say no more about which functions are the same. */
const depthMax = 16;

/**
 * Finds the functions of two sides that are the same although their keys differ, because their files are in other folders or their lines
 * have moved: those with the same name whose paths have the longest common end, if no other function has it. Go on from there with
 * shorter ends.
 *
 * ```
 * before   handler (/srv/v1/api/cart.py)   handler (/srv/v1/api/order.py)
 * after    handler (/srv/v2/api/cart.py)   handler (/srv/v2/api/order.py)
 * ```
 *
 * @param sides by function: a mask of `side`
 * @returns by function: itself, or its counterpart on the later side
 */
export function matchFunctions(functions: Functions, sides: Uint8Array): Uint32Array {
  const matched = Uint32Array.from(sides, (_, id) => id);
  let open = oneSided(functions, sides);
  const pair = (endOf: (fn: OneSided) => string | undefined) => {
    if (open.length === 0) return;
    const joined = pairedByEnd(open, endOf);
    for (const [before, after] of joined) matched[before] = after;
    const done = new Set([...joined].flat());
    if (done.size > 0) open = open.filter(({ id }) => !done.has(id));
  };
  const deepest = Math.min(
    depthMax,
    open.reduce((depth, { folders }) => Math.max(depth, folders.length), 0),
  );
  for (const hasLine of [true, false]) {
    for (let depth = deepest; depth > 0; depth--) {
      pair(({ name, folders, line }) =>
        folders.length < depth
          ? undefined
          : `${name}\n${folders.slice(-depth).join("/")}\n${hasLine ? line : ""}`,
      );
    }
  }
  // A side without files has nothing but names.
  const hasUnplaced = new Set(open.filter(({ folders }) => folders.length === 0).map(({ name }) => name));
  pair(({ name }) => (hasUnplaced.has(name) ? name : undefined));
  return matched;
}

function oneSided({ name, file, startLine }: Functions, sides: Uint8Array): OneSided[] {
  const sidesOfName = new Map<string, number>();
  for (const [id, mask] of sides.entries())
    if (mask === side.before || mask === side.after)
      sidesOfName.set(name[id], (sidesOfName.get(name[id]) ?? 0) | mask);
  const found: OneSided[] = [];
  for (const [id, mask] of sides.entries()) {
    const isOneSided = mask === side.before || mask === side.after;
    if (!isOneSided || sidesOfName.get(name[id]) !== (side.before | side.after)) continue;
    const folders = sourcePath(file[id]).split("/").filter(Boolean);
    const line = isAnonymous(name[id]) ? startLine[id] : 0;
    found.push({ id, isAfter: mask === side.after, name: name[id], folders, line });
  }
  return found;
}

/** Pairs of ids, the earlier side's first: those that alone have an end on both sides. */
function pairedByEnd(
  open: readonly OneSided[],
  endOf: (fn: OneSided) => string | undefined,
): [before: number, after: number][] {
  const ends = new Map<string, { before: number[]; after: number[] }>();
  for (const fn of open) {
    const end = endOf(fn);
    if (end === undefined) continue;
    const group = ends.get(end) ?? { before: [], after: [] };
    ends.set(end, group);
    group[fn.isAfter ? "after" : "before"].push(fn.id);
  }
  const pairs: [number, number][] = [];
  for (const { before, after } of ends.values())
    if (before.length === 1 && after.length === 1) pairs.push([before[0], after[0]]);
  return pairs;
}
