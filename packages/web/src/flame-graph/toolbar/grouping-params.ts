import type { FrameGrouping } from "@flamekeep/contract";
import { oneOf } from "#url/search.ts";

/** Fields of the search of a page with a switch of grouping. */
export const groupingSearch = {
  /** Frames are lines of functions. */
  lines: oneOf(1),
  /** Frames are the copies of generic functions. */
  generics: oneOf("instantiation"),
};

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
