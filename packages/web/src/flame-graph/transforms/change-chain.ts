import {
  chainOf,
  chainText,
  type Transform,
  withoutTransform,
  withTransform,
} from "@flamekeep/flame/transform";

/** The chain with a step, or without it if it has it. */
export function toggled(text: string, transform: Transform): string {
  const chain = chainOf(text);
  const at = chain.findIndex((each) => chainText([each]) === chainText([transform]));
  return chainText(at === -1 ? withTransform(chain, transform) : withoutTransform(chain, at));
}

/** The chain without its last step. */
export function undone(text: string): string {
  return chainText(chainOf(text).slice(0, -1));
}
