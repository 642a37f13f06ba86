import type { NameQuery } from "@flamekeep/flame";

/** The kind of a query in words; empty for none. */
export function kindOfQuery({ kind, terms }: Pick<NameQuery, "kind" | "terms">): string {
  if (kind === "nothing") return "";
  if (kind === "expression") return "Regular expression";
  return terms === 1 ? "Text" : `Any of ${terms} texts`;
}
