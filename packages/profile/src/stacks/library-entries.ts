import type { FrameTable, StackTable } from "#model/stack-table.ts";
import { categoryOf } from "#names/categories.ts";
import { packageOf } from "#names/function-name.ts";
import { sourcePath } from "#names/source-path.ts";

/**
 * Where a stack enters libraries: the function of a library that a service, or another library, calls.
 *
 * ```
 * net/http.(*conn).serve   above the own code: calls it, and would hold everything
 * shop.render              the last function of the service's code
 * gin.(*Context).JSON      entry
 * encoding/json.Marshal    entry
 * encoding/json.valueEnc   inside encoding/json
 * runtime.mallocgc         entry
 * ```
 *
 * Only frames below the last function of the service's code count. A stack without such a function (garbage collection, a server that
 * reads requests) counts from its root. Each package is entered once, by its first frame; packages that only their own library can
 * import (`internal`) are inside it. Below a function of Go's scheduler nothing counts: choosing the next goroutine is the runtime's
 * work, and no service calls it.
 */
export class LibraryEntries {
  readonly #stacks: StackTable;
  /** By frame: the number of its library, or one of the marks. */
  readonly #unitOf: Int32Array;
  /** By library: the last stack that was seen to enter it. */
  readonly #seenIn: Int32Array;

  constructor(stacks: StackTable) {
    this.#stacks = stacks;
    const units = new Map<string, number>();
    this.#unitOf = Int32Array.from({ length: stacks.frames.length }, (_, frame) =>
      unitOf(stacks.frames, frame, units),
    );
    this.#seenIn = new Int32Array(units.size).fill(-1);
  }

  /** The frames by which a stack enters libraries, root first. */
  of(stack: number): number[] {
    const { start, frame } = this.#stacks;
    const entries: number[] = [];
    for (let at = this.#endOfLibraries(stack) - 1; at >= start[stack]; at--) {
      const unit = this.#unitOf[frame[at]];
      if (unit === scheduling) break;
      if (unit < 0 || this.#seenIn[unit] === stack) continue;
      this.#seenIn[unit] = stack;
      entries.push(frame[at]);
    }
    return entries;
  }

  /** Where the frames below the last function of the service's code end; stacks are leaf first. */
  #endOfLibraries(stack: number): number {
    const { start, frame } = this.#stacks;
    const end = start[stack + 1];
    let at = start[stack];
    while (at < end && this.#unitOf[frame[at]] !== ownCode) at++;
    return at;
  }
}

const ownCode = -1;
const noEntry = -2;
const scheduling = -3;

const inRuntime = (names: string) => new Set(names.split(" ").map((name) => `runtime.${name}`));

/** Functions at the root of every goroutine and of the scheduler. */
const roots = inRuntime("goexit main mcall mstart mstart0 mstart1 systemstack");

/** Functions that a thread runs when its goroutine waits, ends or yields. Source: proc.go of Go's runtime. */
const scheduler = inRuntime(
  "exitsyscall0 execute findRunnable findrunnable goexit0 gopreempt_m gosched_m goschedImpl goyield_m park_m preemptPark schedule stopm",
);

function unitOf({ functionName, file }: FrameTable, frame: number, units: Map<string, number>): number {
  const name = functionName[frame];
  const path = file[frame];
  const category = categoryOf(name, path);
  if (category === "user_code") return ownCode;
  if (scheduler.has(name)) return scheduling;
  if (category === "other" || roots.has(name)) return noEntry;
  const library = libraryOf(name, path);
  if (library === "" || isInternal(library)) return noEntry;
  const known = units.get(library);
  if (known !== undefined) return known;
  units.set(library, units.size);
  return units.size - 1;
}

/** The package of a function; the folder of its file where names have no package, as in Python and Node. */
export function libraryOf(name: string, file: string): string {
  const path = packageOf(name);
  if (path !== "") return path;
  const source = sourcePath(file);
  return source.slice(0, Math.max(0, source.lastIndexOf("/")));
}

function isInternal(library: string): boolean {
  return `/${library}/`.includes("/internal/");
}
