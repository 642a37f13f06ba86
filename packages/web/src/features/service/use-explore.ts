import { profileTabOf } from "@flamekeep/contract";
import { type FlameView, fromLinkParams, isStep, toLinkParams, withoutFrameRefs } from "@flamekeep/flame";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo, useState } from "react";
import type { TimeSpan } from "#charts/model/series.ts";
import { viewOfFunction } from "#flame-graph/frame/wanted-function.ts";
import { groupingOf } from "#flame-graph/toolbar/grouping-params.ts";
import { fromFirstPage } from "#profile-list/use-table-search.ts";
import { noLabels } from "#sample-labels/model.ts";
import { useOpenTab } from "#service-frame/service-tabs.ts";
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

  const marking = useMarking(search, change);

  return {
    service,
    tab,
    lane: search.lane,
    /** All parameters of the page. */
    search,
    ...marking,
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
    ...useViewChanges(view, search.sample_type),
    open: useOpenTab(service),
  };
}

/** The time that the selection is compared with. */
function useMarking(search: ServiceSearch, change: (part: Partial<ServiceSearch>) => void) {
  const before = useMemo(() => selectionOf(search.before), [search.before]);
  const [isMarking, setMarking] = useState(false);
  return {
    before,
    /** Whether the next drag on the overview marks it. */
    isMarking,
    setMarking,
    markBefore(span: TimeSpan | undefined) {
      setMarking(false);
      change({ before: span === undefined ? undefined : selectionText(span), ...withoutFrameRefs });
    },
  };
}

/** Changes of the flame graph's view. */
function useViewChanges(view: FlameView, shownType: string | undefined) {
  const setSearch = useSetSearch();
  return {
    /** Each zoom is a step that Browser Back undoes; typing a search is not. */
    changeView(next: FlameView) {
      const { q, ...params } = toLinkParams(next);
      setSearch({ ...noView, ...params, find: q }, !isStep(view, next));
    },
    /** Shows a function of a sample type in the flame graph. Browser Back undoes it. */
    find(name: string, sampleType = shownType) {
      const { q, ...params } = toLinkParams(viewOfFunction(view, name));
      setSearch({ ...noView, ...params, find: q, sample_type: sampleType }, false);
    },
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
