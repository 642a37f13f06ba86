export type ClassValue = string | false | null | undefined;

export function cx(...values: readonly ClassValue[]): string {
  return values.filter(Boolean).join(" ");
}

/** Classes of figures that belong to the former question until the reply to the next one has come. */
export function staleClass(isStale: boolean): string {
  return cx("transition-opacity duration-150", isStale && "opacity-55");
}
