import { Refusal } from "#model/profile-error.ts";
import type { ChunkBytes } from "./chunk-bytes.ts";
import type { Classes } from "./metadata.ts";

type StepKind = "long" | "int" | "short" | "byte" | "text" | "list" | "numbers" | 4 | 8;

interface Step {
  /** A number is one of bytes. */
  readonly kind: StepKind;
  /** Where the value goes; -1 where nobody asks for it. */
  readonly slot: number;
  /** The layout of the items of a list. */
  readonly items: Layout | undefined;
  /** Compressed numbers one after the other that nobody asks for; 0 for other steps. */
  readonly numbers: number;
}

/** The values of a class, one after the other, as steps that read or skip them; values within values are expanded. */
export type Layout = readonly Step[];

/** Slots by the path of a field, such as `frames.lineNumber`. */
export type Slots = Readonly<Record<string, number>>;

const primitives: Readonly<Record<string, StepKind>> = {
  long: "long",
  int: "int",
  short: "short",
  char: "short",
  byte: "byte",
  boolean: "byte",
  float: 4,
  double: 8,
  "java.lang.String": "text",
};

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
  const takeStep = () => {
    if (classes.left.steps-- === 0) throw damaged("its classes have too many values within one another");
  };
  const stepOf = (kind: StepKind, slot: number, items?: Layout): Step => ({ kind, slot, items, numbers: 0 });
  const merge = (steps: readonly Step[]) => (classes.isCompressed ? withMergedNumbers(steps) : steps);
  const expand = (id: number, path: string, depth: number): Step[] => {
    const known = classes.byId.get(id);
    if (known === undefined) throw damaged("a value has a class that it does not declare");
    if (depth > depthMax)
      throw damaged(`the class ${JSON.stringify(known.name.slice(0, 80))} contains itself`);
    const kind = primitives[known.name];
    takeStep();
    if (kind !== undefined) return [stepOf(kind, wanted[path] ?? -1)];
    return known.fields.flatMap((field): Step[] => {
      const at = path === "" ? field.name : `${path}.${field.name}`;
      const slot = wanted[at] ?? -1;
      takeStep();
      if (!field.isList) {
        if (field.isConstant) return [stepOf("long", slot)];
        return expand(field.classId, at, depth + 1);
      }
      const items = field.isConstant ? [stepOf("long", slot)] : expand(field.classId, at, depth + 1);
      return [stepOf("list", -1, merge(items))];
    });
  };
  return merge(expand(classId, "", 0));
}

/** Most numbers are skipped: several in a row are one step. */
function withMergedNumbers(steps: readonly Step[]): Layout {
  const merged: Step[] = [];
  for (const step of steps) {
    const isNumber = step.kind === "long" || step.kind === "int" || step.kind === "short";
    const last = merged.at(-1);
    if (!isNumber || step.slot >= 0) merged.push(step);
    else if (last?.kind !== "numbers") merged.push({ ...step, kind: "numbers", numbers: 1 });
    else merged[merged.length - 1] = { ...last, numbers: last.numbers + 1 };
  }
  return merged;
}

function damaged(what: string): Refusal {
  return new Refusal("malformed", `The recording is damaged: ${what}.`, "metadata", 0);
}

/**
 * Reads the values of a class into their slots, texts as their offsets.
 *
 * @param onItem is called for each item of a list, after its values are in their slots
 */
export function readValues(
  bytes: ChunkBytes,
  layout: Layout,
  slots: Float64Array,
  onItem?: () => void,
): void {
  for (const { kind, slot, items, numbers } of layout) {
    if (numbers > 0) bytes.skipCompressed(numbers);
    else if (items !== undefined) readItems(bytes, items, slots, onItem);
    else if (slot >= 0) slots[slot] = readValue(bytes, kind);
    else if (kind === "long") bytes.skipLong();
    else readValue(bytes, kind);
  }
}

function readValue(bytes: ChunkBytes, kind: StepKind): number {
  if (kind === "long") return bytes.long();
  if (kind === "int") return bytes.int();
  if (kind === "byte") return bytes.byte();
  const { pos } = bytes;
  if (kind === "text") bytes.skipText();
  else if (kind === "short") bytes.skipShort();
  else bytes.skip(kind === 4 ? 4 : 8);
  return kind === "text" ? pos : 0;
}

/** Items without values take no bytes: any number of them is nothing. */
function readItems(bytes: ChunkBytes, items: Layout, slots: Float64Array, onItem?: () => void): void {
  if (items.length === 0) {
    bytes.int();
    return;
  }
  const count = bytes.count();
  const [{ numbers }] = items as readonly [Step];
  if (items.length === 1 && numbers > 0 && onItem === undefined) {
    bytes.skipCompressed(count * numbers);
    return;
  }
  for (let left = count; left > 0; left--) {
    readValues(bytes, items, slots, onItem);
    onItem?.();
  }
}
