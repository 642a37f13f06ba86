import { Refusal } from "#model/profile-error.ts";
import type { ChunkBytes } from "./chunk-bytes.ts";
import type { Classes } from "./metadata.ts";

/** Numbers, because a switch over them is one jump. */
const operation = {
  skipNumbers: 0,
  skipBytes: 1,
  skipText: 2,
  list: 3,
  long: 4,
  int: 5,
  byte: 6,
  text: 7,
  float: 8,
} as const;

export interface Step {
  readonly operation: (typeof operation)[keyof typeof operation];
  /** Where the value goes. */
  readonly slot: number;
  /** Compressed numbers or bytes to skip. */
  readonly count: number;
  /** The layout of the items of a list. */
  readonly items: Layout;
  /** For items that are compressed numbers and nothing else: the slot of each, -1 to skip it. */
  readonly numbers: readonly number[] | undefined;
}

/**
 * The values of a class, one after the other, as steps that read or skip them. Values within values are expanded, and values that are
 * skipped are one step where they follow each other.
 */
export type Layout = readonly Step[];

/** Slots by the path of a field, such as `frames.lineNumber`. */
export type Slots = Readonly<Record<string, number>>;

type Primitive = "long" | "int" | "short" | "byte" | "text" | "float" | "double";

const primitives: Readonly<Record<string, Primitive>> = {
  long: "long",
  int: "int",
  short: "short",
  char: "short",
  byte: "byte",
  boolean: "byte",
  float: "float",
  double: "double",
  "java.lang.String": "text",
};
/** Chunks may compress those of whole numbers. */
const widths = { long: 8, int: 4, short: 2, byte: 1, float: 4, double: 8 } as const;

/** Steps of all layouts of a recording. Those of a chunk of the JDK have some hundred. */
export const stepsMax = 2_000_000;
/** Values within values; also ends classes that contain themselves. */
const depthMax = 32;

/**
 * How the values of a class are laid out.
 *
 * @param wanted the values to read
 */
export function layoutOf(classes: Classes, classId: number, wanted: Slots = {}): Layout {
  const builder = new LayoutBuilder(classes, wanted);
  return builder.layoutOf(classId);
}

class LayoutBuilder {
  readonly #classes: Classes;
  readonly #wanted: Slots;

  constructor(classes: Classes, wanted: Slots) {
    this.#classes = classes;
    this.#wanted = wanted;
  }

  layoutOf(classId: number): Layout {
    const steps: Step[] = [];
    this.#expand(steps, classId, "", 0);
    return steps;
  }

  #expand(steps: Step[], classId: number, path: string, depth: number): void {
    const known = this.#classes.byId.get(classId);
    if (known === undefined) throw damaged("a value has a class that it does not declare");
    if (depth > depthMax)
      throw damaged(`the class ${JSON.stringify(known.name.slice(0, 80))} contains itself`);
    this.#countStep();
    const primitive = primitives[known.name];
    if (primitive !== undefined) {
      this.#add(steps, primitive, path);
      return;
    }
    for (const { name, classId: fieldClass, isConstant, isList } of known.fields()) {
      const at = path === "" ? name : `${path}.${name}`;
      this.#countStep();
      const target: Step[] = isList ? [] : steps;
      if (isConstant) this.#add(target, "long", at);
      else this.#expand(target, fieldClass, at, depth + 1);
      if (isList) steps.push({ ...stepOf(operation.list), items: target, numbers: this.#numbersOf(target) });
    }
  }

  #countStep(): void {
    if (this.#classes.left.steps-- === 0)
      throw damaged("its classes have too many values within one another");
  }

  #add(steps: Step[], primitive: Primitive, path: string): void {
    const slot = this.#wanted[path] ?? -1;
    const isReadable = primitive !== "short" && primitive !== "double";
    if (slot >= 0 && isReadable) steps.push(stepOf(operation[primitive], slot));
    else if (primitive === "text") steps.push(stepOf(operation.skipText));
    else this.#skip(steps, primitive);
  }

  #skip(steps: Step[], primitive: Exclude<Primitive, "text">): void {
    const isNumber = primitive === "long" || primitive === "int" || primitive === "short";
    const isCompressed = isNumber && this.#classes.isCompressed;
    const skipped = isCompressed ? operation.skipNumbers : operation.skipBytes;
    const count = isCompressed ? 1 : widths[primitive];
    const last = steps.at(-1);
    if (last?.operation === skipped) steps[steps.length - 1] = { ...last, count: last.count + count };
    else steps.push({ ...stepOf(skipped), count });
  }

  #numbersOf(items: Layout): readonly number[] | undefined {
    const areNumbers = items.every(
      ({ operation: of }) => of === operation.long || of === operation.int || of === operation.skipNumbers,
    );
    if (!areNumbers || !this.#classes.isCompressed || items.length === 0) return undefined;
    return items.flatMap(({ slot, count }) => (slot >= 0 ? [slot] : new Array<number>(count).fill(-1)));
  }
}

function stepOf(of: Step["operation"], slot = -1): Step {
  return { operation: of, slot, count: 0, items: [], numbers: undefined };
}

function damaged(what: string): Refusal {
  return new Refusal("malformed", `The recording is damaged: ${what}.`, "metadata", 0);
}

/** Reads the values of a class into their slots, texts as their offsets. */
export function readValues(bytes: ChunkBytes, layout: Layout, slots: Float64Array): void {
  for (let at = 0; at < layout.length; at++) {
    const step = layout[at];
    switch (step.operation) {
      case operation.skipNumbers:
        bytes.skipCompressed(step.count);
        break;
      case operation.skipBytes:
        bytes.skip(step.count);
        break;
      case operation.skipText:
        bytes.skipText();
        break;
      case operation.list:
        skipItems(bytes, step, slots);
        break;
      case operation.long:
        slots[step.slot] = bytes.long();
        break;
      case operation.int:
        slots[step.slot] = bytes.int();
        break;
      case operation.byte:
        slots[step.slot] = bytes.byte();
        break;
      case operation.float:
        slots[step.slot] = bytes.float();
        break;
      default:
        slots[step.slot] = bytes.pos;
        bytes.skipText();
    }
  }
}

/** Items without values take no bytes: any number of them is nothing. */
function skipItems(bytes: ChunkBytes, { items, numbers }: Step, slots: Float64Array): void {
  if (items.length === 0) bytes.int();
  else if (numbers !== undefined) bytes.skipCompressed(bytes.count() * numbers.length);
  else for (let left = bytes.count(); left > 0; left--) readValues(bytes, items, slots);
}
