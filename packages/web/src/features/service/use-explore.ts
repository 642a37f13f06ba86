import { type ProfileTab, profileTabOf } from "@flamekeep/contract";
import { type FlameView, fromLinkParams, isStep, toLinkParams, withoutFrameRefs } from "@flamekeep/flame";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import type { TimeSpan } from "#charts/model/series.ts";
import { viewOfFunction } from "#flame-graph/frame/wanted-function.ts";
import { groupingOf } from "#flame-graph/toolbar/grouping-params.ts";
import { fromFirstPage } from "#profile-list/use-table-search.ts";
import { noLabels } from "#sample-labels/model.ts";
import { useTimeRange } from "#time-range/use-time-range.ts";
import { queryOfSelection, type ServiceSearch, selectionOf, selectionText } from "./search.ts";

const noTags = {};

/** The view of the service's page. All of it is in the URL, and Browser Back undoes each choice. */
export function useExplore() {
  const { serviceName: service = "", type: segment } = useParams({ strict: false });
  const search: ServiceSearch = useSearch({ strict: false });
  const time = useTimeRange();
  const tab = profileTabOf(segment);
  const selection = useMemo(() => selectionOf(search.selection), [search.selection]);
  const active = useMemo(
    () => (selection === undefined ? time.query : queryOfSelection(selection)),
    [selection, time.query],
  );
  const view = fromLinkParams({ ...search, q: search.find });

  const setSearch = useSetSearch();
  const change = useCallback(
    (part: Partial<ServiceSearch>, replace = false) => setSearch({ ...fromFirstPage, ...part }, replace),
    [setSearch],
  );
  const select = useCallback(
    (span: TimeSpan | undefined) =>
      change({ selection: span === undefined ? undefined : selectionText(span), ...withoutFrameRefs }),
    [change],
  );

  return {
    service,
    tab,
    time,
    selection,
    /** `from` and `to` of the selection, or of the whole range. */
    active,
    sampleType: search.sample_type,
    since: search.since,
    grouping: groupingOf(search),
    tags: search.tags ?? noTags,
    labels: search.labels ?? noLabels,
    byLabel: search.by_label,
    splitLabel: search.split_label,
    groupBy: search.group_by,
    isStacked: search.stacked === 1,
    bucket: search.bucket,
    question: search.advice ?? ("improvements" as const),
    view,
    change,
    select,
    changeTags: (tags: Readonly<Record<string, string>>) =>
      change({ tags: Object.keys(tags).length === 0 ? undefined : tags, ...withoutFrameRefs }),
    /** Each zoom is a step that Browser Back undoes; typing a search is not. */
    changeView(next: FlameView) {
      const { q, ...params } = toLinkParams(next);
      setSearch({ ...noView, ...params, find: q }, !isStep(view, next));
    },
    /** Shows a function of a sample type in the flame graph. Browser Back undoes it. */
    find(name: string, sampleType = search.sample_type) {
      const { q, ...params } = toLinkParams(viewOfFunction(view, name));
      setSearch({ ...noView, ...params, find: q, sample_type: sampleType }, false);
    },
    open: useOpenTab(service),
  };
}

/** Opens another type of profiles of the service. */
function useOpenTab(service: string) {
  const navigate = useNavigate();
  return (next: ProfileTab, scroll: "in place" | "from the top" = "in place") => {
    const resetScroll = scroll === "from the top";
    // The alert, the sample type, the zoom in the stacks and the page of the list belong to one type only.
    const search = (before: Record<string, unknown>) => ({ ...before, ...fromFirstPage, ...ofOneType });
    if (next === "all") {
      const params = { serviceName: service };
      return void navigate({ to: "/profiles/service/$serviceName", params, search, resetScroll });
    }
    const params = { serviceName: service, type: next };
    void navigate({ to: "/profiles/service/$serviceName/$type", params, search, resetScroll });
  };
}

/** Changes search parameters, and leaves the page where it is scrolled to. */
function useSetSearch() {
  const navigate = useNavigate();
  return useCallback(
    (part: Readonly<Record<string, unknown>>, replace: boolean) =>
      void navigate({
        to: ".",
        search: (before: Record<string, unknown>) => ({ ...before, ...part }),
        replace,
        resetScroll: false,
      }),
    [navigate],
  );
}

export type Explore = ReturnType<typeof useExplore>;

const noView = {
  ...withoutFrameRefs,
  transforms: undefined,
  fn: undefined,
  find: undefined,
  scheme: undefined,
  pane: undefined,
  legend: undefined,
};
const ofOneType = {
  since: undefined,
  labels: undefined,
  by_label: undefined,
  split_label: undefined,
  sample_type: undefined,
  ...withoutFrameRefs,
};
