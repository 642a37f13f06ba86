import type { FrameGrouping } from "@flamekeep/contract";

/** The grouping as parameters of a link: `lines=1`, or `generics=instantiation`. */
export interface GroupingParams {
  readonly lines?: 1 | undefined;
  readonly generics?: "instantiation" | undefined;
}

export function groupingOf({ lines, generics }: GroupingParams): FrameGrouping {
  return lines === 1 ? "line" : (generics ?? "function");
}

export function groupingParams(grouping: FrameGrouping): GroupingParams {
  return {
    lines: grouping === "line" ? 1 : undefined,
    generics: grouping === "instantiation" ? grouping : undefined,
  };
}
