import { pathlessName, shownName } from "@flamekeep/flame";
import type { Target, Transform, TransformName } from "@flamekeep/flame/transform";

/** `{}` is replaced by the target. */
const withTarget: Readonly<Partial<Record<TransformName, string>>> = {
  focus: "Show only stacks through {}",
  ignore: "Exclude stacks through {}",
  hide: "Hide {}",
  show: "Only {}",
  collapse: "Collapse recursion of {}",
  sandwich: "Callers and callees of {}",
};

const alone: Readonly<Partial<Record<TransformName, string>>> = {
  collapse: "Collapse recursion",
  "hide-runtime": "Hide runtime",
  "my-code": "Only my code",
  invert: "Inverted",
};

/** A step in words. @param isFull with the whole name of a function instead of its short form */
export function transformLabel({ name, target }: Transform, isFull = false): string {
  if (target === undefined) return alone[name] ?? name;
  return (withTarget[name] ?? `${name} {}`).replace("{}", () => targetLabel(target, isFull));
}

function targetLabel({ by, text }: Target, isFull: boolean): string {
  const name = shownName(text);
  if (by === "search") return `matches of ${name}`;
  if (by !== "function") return `${by} ${name}`;
  return isFull ? name : pathlessName(name);
}
