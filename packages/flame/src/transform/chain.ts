import { isComplete } from "./table.ts";
import {
  type TargetKind,
  type Transform,
  type TransformName,
  targetKinds,
  transformNames,
} from "./transform.ts";

/** Bounds the work for a link that was edited by hand; nobody builds a longer chain in the app. */
const transformsMax = 32;

/**
 * A chain as text, short enough for a link:
 *
 * ```
 * focus:main.fold;hide-package:net/http;collapse;sandwich:main.press
 * ```
 *
 * Steps are separated by semicolons. A semicolon or backslash of a name has a backslash before it.
 */
export function chainText(chain: readonly Transform[]): string {
  return chain
    .map(({ name, target }) => {
      if (target === undefined) return name;
      return `${headOf(name, target.by)}:${target.text.replace(/[\\;]/g, "\\$&")}`;
    })
    .join(";");
}

/** The chain of a text. Steps that cannot be read are left out. */
export function chainOf(text: string): readonly Transform[] {
  const chain: Transform[] = [];
  for (const [step] of text.matchAll(/(?:\\.|[^\\;])+/gsu)) {
    const transform = transformOf(step);
    if (transform !== undefined && chain.length < transformsMax) chain.push(transform);
  }
  return chain;
}

/** `focus`, `focus-package` and all others, with what they mean. */
const heads = new Map(
  transformNames.flatMap((name) => targetKinds.map((by) => [headOf(name, by), { name, by }] as const)),
);

function headOf(name: TransformName, by: TargetKind): string {
  return by === "function" ? name : `${name}-${by}`;
}

function transformOf(step: string): Transform | undefined {
  const [, head = "", text = ""] = /^([a-z-]+)(?::(.*))?$/su.exec(step) ?? [];
  const found = heads.get(head);
  if (found === undefined) return undefined;
  const { name, by } = found;
  const target = text === "" ? undefined : { by, text: text.replace(/\\(.)/gsu, "$1") };
  if ((target === undefined && by !== "function") || !isComplete(name, target)) return undefined;
  return target === undefined ? { name } : { name, target };
}

/** Two directions to look from: a graph has one of them. */
const directions: readonly TransformName[] = ["invert", "sandwich"];

/** The chain with one more step; the same step is not added twice in a row. An inversion and a sandwich replace each other. */
export function withTransform(chain: readonly Transform[], added: Transform): readonly Transform[] {
  const isDirection = directions.includes(added.name);
  const kept = isDirection ? chain.filter(({ name }) => !directions.includes(name)) : chain;
  const last = kept.at(-1);
  return last !== undefined && chainText([last]) === chainText([added]) ? kept : [...kept, added];
}

export function withoutTransform(chain: readonly Transform[], at: number): readonly Transform[] {
  return chain.filter((_, index) => index !== at);
}
