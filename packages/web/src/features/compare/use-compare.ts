import { type FlameView, fromLinkParams, isStep, toLinkParams, withoutFrameRefs } from "@flamekeep/flame";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type SideName, swapped } from "#comparison/model.ts";
import type { CompareSearch } from "#comparison/search.ts";
import { useZone } from "#preferences/time-zone.ts";

/** The view of the comparison. All of it is in the URL, and Browser Back undoes each choice. */
export function useCompare() {
  const search: CompareSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const zone = useZone();
  const view = fromLinkParams({ ...search, scheme: undefined, legend: undefined });

  const change = (part: CompareSearch, replace = false) =>
    void navigate({
      to: ".",
      search: (before: Record<string, unknown>) => ({ ...before, ...part }),
      replace,
      resetScroll: false,
    });

  return {
    search,
    zone,
    view,
    mode: search.mode ?? "absolute",
    colouring: search.color ?? ("self" as const),
    isSideBySide: search.layout === "sides",
    change,
    swap: () => change(swapped(search)),
    changeSide: (
      name: SideName,
      part: {
        readonly from?: string;
        readonly to?: string;
        readonly tags?: Readonly<Record<string, string>> | undefined;
        readonly labels?: Readonly<Record<string, string>> | undefined;
      },
    ) =>
      change({
        ...("from" in part && { [`${name}_from`]: part.from, [`${name}_to`]: part.to }),
        ...("tags" in part && { [`${name}_tags`]: part.tags }),
        ...("labels" in part && { [`${name}_labels`]: part.labels }),
        ...withoutFrameRefs,
      }),
    /** Each zoom is a step that Browser Back undoes; typing a search is not. */
    changeView(next: FlameView) {
      const { zoom, focus, callers, transforms, q, fn, pane } = toLinkParams(next);
      change({ zoom, focus, callers, transforms, q, fn, pane }, !isStep(view, next));
    },
  };
}

export type Compare = ReturnType<typeof useCompare>;
