import { findProfileType } from "@flamekeep/contract";

export function profileTypeLabel(type: string): string {
  return findProfileType(type)?.label ?? capitalized(type);
}

/** The type within a sentence: `CPU`, `memory`, `wall time`. */
export function profileTypeName(type: string): string {
  return findProfileType(type)?.name ?? profileTypeLabel(type).toLowerCase();
}

/** The design token of its colour. */
export function profileTypeToken(type: string): `type-${string}` {
  return `type-${type.replaceAll("_", "-")}`;
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
