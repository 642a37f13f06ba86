import { Refusal } from "#model/profile-error.ts";
import type { ChunkBytes } from "./chunk-bytes.ts";
import type { Classes } from "./metadata.ts";

type StepKind = "long" | "int" | "short" | "byte" | "text" | "list" | 4 | 8;

interface Step {
  /** A number is one of bytes. */
  readonly kind: StepKind;
  /** Where the value goes; -1 where nobody asks for it. */
  readonly slot: number;
  /** The layout of the items of a list. */
  readonly items: Layout | undefined;
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

/** The largest class of the JDK has some dozen values. */
const stepsMax = 10_000;
/** Values within values; also ends classes that contain themselves. */
const depthMax = 32;

/**
 * How the values of a class are laid out.
 *
 * @param wanted the values to read
 */
export function layoutOf(classes: Classes, classId: number, wanted: Slots = {}): Layout {
  let steps = 0;
  const expand = (id: number, path: string, depth: number): Step[] => {
    const known = classes.byId.get(id);
    if (known === undefined) throw damaged("a value has a class that it does not declare");
    if (depth > depthMax)
      throw damaged(`the class ${JSON.stringify(known.name.slice(0, 80))} contains itself`);
    const kind = primitives[known.name];
    if (++steps > stepsMax) throw damaged("a class has more than 10000 values");
    if (kind !== undefined) return [{ kind, slot: wanted[path] ?? -1, items: undefined }];
    return known.fields.flatMap((field): Step[] => {
      const at = path === "" ? field.name : `${path}.${field.name}`;
      const slot = wanted[at] ?? -1;
      if (++steps > stepsMax) throw damaged("a class has more than 10000 values");
      if (!field.isList) {
        if (field.isConstant) return [{ kind: "long", slot, items: undefined }];
        return expand(field.classId, at, depth + 1);
      }
      const items: Layout = field.isConstant
        ? [{ kind: "long", slot, items: undefined }]
        : expand(field.classId, at, depth + 1);
      return [{ kind: "list", slot: -1, items }];
    });
  };
  return expand(classId, "", 0);
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
  for (const { kind, slot, items } of layout) {
    let value = 0;
    if (kind === "long") value = bytes.long();
    else if (kind === "int") value = bytes.int();
    else if (kind === "byte") value = bytes.byte();
    else if (kind === "text") {
      value = bytes.pos;
      bytes.skipText();
    } else if (kind === "short") bytes.skipShort();
    else if (items !== undefined) readItems(bytes, items, slots, onItem);
    else if (kind === 4 || kind === 8) bytes.skip(kind);
    if (slot >= 0) slots[slot] = value;
  }
}

/** Items without values take no bytes: any number of them is nothing. */
function readItems(bytes: ChunkBytes, items: Layout, slots: Float64Array, onItem?: () => void): void {
  if (items.length === 0) {
    bytes.int();
    return;
  }
  for (let left = bytes.count(); left > 0; left--) {
    readValues(bytes, items, slots, onItem);
    onItem?.();
  }
}
