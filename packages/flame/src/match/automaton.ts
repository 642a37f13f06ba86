import { isInSet, isWordCharacter } from "./char-set.ts";
import type { Program } from "./program.ts";
import type { Assertion } from "./syntax.ts";

// Runs a program over names. All alternatives advance together, so the time depends on the name's length alone, whatever the expression.
// A set of instructions is a state. Where a character leads from a state is worked out once and then looked up.

/** The character before a position. */
const atStart = 0;
const afterWord = 1;
const afterOther = 2;
type Before = typeof atStart | typeof afterWord | typeof afterOther;

interface State {
  /** Instructions to go on with, sorted. */
  readonly from: readonly number[];
  readonly before: Before;
  /** The next state by character below 128; 0 is unknown. */
  readonly ascii: Int32Array;
  readonly others: Map<number, number>;
  /** Whether the name may end here; undefined while unknown. */
  endsHere: boolean | undefined;
}

/** Ids of states: unknown, and found whatever follows. Real states come after them. */
const unknown = 0;
const found = 1;
const statesMax = 1000;
/** Instructions visited for new states, for all names: at most half a second. */
const workMax = 3_000_000;
const endOfName = -1;

export class Automaton {
  /** True once the work is too much: from then on nothing matches. */
  isExhausted = false;
  #work = 0;
  readonly #program: Program;
  readonly #visited: Uint32Array;
  #visit = 0;
  #states: (State | undefined)[] = [undefined, undefined];
  readonly #ids = new Map<string, number>();

  constructor(program: Program) {
    this.#program = program;
    this.#visited = new Uint32Array(program.length);
  }

  /** Instructions visited so far. */
  get work(): number {
    return this.#work;
  }

  /** Whether the expression matches anywhere in the name. */
  test(name: string): boolean {
    let state = this.#state([0], atStart);
    for (let at = 0; at < name.length; at++) {
      let code = name.charCodeAt(at);
      if (code >= 0xd800 && code <= 0xdbff) {
        code = name.codePointAt(at)!;
        if (code > 0xffff) at++;
      }
      const { ascii, others } = this.#states[state]!;
      const next = (code < 128 ? ascii[code] : others.get(code)) ?? unknown;
      state = next === unknown ? this.#follow(state, code) : next;
      if (state === found) return true;
      if (this.isExhausted) return false;
    }
    const last = this.#states[state]!;
    last.endsHere ??= this.#reach(last, endOfName) === undefined;
    return last.endsHere && !this.isExhausted;
  }

  #state(from: readonly number[], before: Before): number {
    const key = `${before},${from.join()}`;
    let id = this.#ids.get(key);
    if (id === undefined) {
      id = this.#states.length;
      this.#ids.set(key, id);
      this.#states.push({ from, before, ascii: new Int32Array(128), others: new Map(), endsHere: undefined });
    }
    return id;
  }

  /** The state after a character, worked out. */
  #follow(id: number, code: number): number {
    const state = this.#states[id]!;
    const reached = this.#reach(state, code);
    if (reached !== undefined && this.#states.length >= statesMax) this.#forget();
    const next =
      reached === undefined ? found : this.#state(reached, isWordCharacter(code) ? afterWord : afterOther);
    if (code < 128) state.ascii[code] = next;
    else state.others.set(code, next);
    return next;
  }

  /** Too many states take memory; those that are needed again are worked out again. */
  #forget(): void {
    this.#states = [undefined, undefined];
    this.#ids.clear();
  }

  /** The instructions after a character, or at the end those that wait for one; undefined if the expression has matched. */
  #reach({ from, before }: State, code: number): number[] | undefined {
    const next = new Set<number>([0]);
    const open = [...from];
    const visit = ++this.#visit;
    for (;;) {
      const at = open.pop();
      if (at === undefined) break;
      if (this.#visited[at] === visit) continue;
      this.#visited[at] = visit;
      this.#work++;
      const instruction = this.#program[at]!;
      if (instruction.do === "match") return undefined;
      if (instruction.do === "fork") open.push(...instruction.to);
      else if (instruction.do === "assert") {
        if (holds(instruction.that, before, code)) open.push(instruction.next);
      } else if (code !== endOfName && isInSet(instruction.set, code)) next.add(instruction.next);
    }
    this.#work += next.size;
    if (this.#work > workMax) this.isExhausted = true;
    return [...next].sort((a, b) => a - b);
  }
}

function holds(that: Assertion, before: Before, code: number): boolean {
  if (that === "start") return before === atStart;
  if (that === "end") return code === endOfName;
  const isBoundary = (before === afterWord) !== (code !== endOfName && isWordCharacter(code));
  return that === "boundary" ? isBoundary : !isBoundary;
}
