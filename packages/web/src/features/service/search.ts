import { graphTypes, limits, timeBuckets } from "@flamekeep/contract";
import type { TimeSpan } from "#charts/model/series.ts";
import { comparisonLook } from "#comparison/search.ts";
import { groupingSearch } from "#flame-graph/toolbar/grouping-params.ts";
import { moment } from "#time-range/search.ts";
import { isoText } from "#time-range/view-range.ts";
import { anything, oneOf, type Reader, type SearchOf, text, texts } from "#url/search.ts";

const selectionLike = text({ max: 100 });

const selection: Reader<string> = (value) => {
  const interval = selectionLike(value);
  return selectionOf(interval) === undefined ? undefined : interval;
};

/** View state of the service's page in the URL, next to the time range and the table's; malformed parts are ignored. */
export const serviceSearch = {
  selection,
  /** The time that the selection is compared with. */
  before: selection,
  ...comparisonLook,
  /** The figure whose graph the overview shows. */
  lane: oneOf(...graphTypes),
  /** When the increase of the alert began from which the page was opened. */
  since: moment,
  sample_type: text({ max: limits.sampleTypeLengthMax }),
  ...groupingSearch,
  tags: texts({ min: 1, max: limits.tagNameLengthMax }, { max: 1024 }),
  /** Labels of samples; an empty value is for samples without the label. */
  labels: texts({ min: 1, max: limits.tagNameLengthMax }, { max: 1024 }),
  /** The label whose values are the roots of the flame graph. */
  by_label: text({ min: 1, max: limits.tagNameLengthMax }),
  /** The label that splits the timeline. */
  split_label: text({ min: 1, max: limits.tagNameLengthMax }),
  group_by: text({ min: 1, max: limits.tagNameLengthMax }),
  stacked: oneOf(1),
  bucket: oneOf(...timeBuckets),
  /** Advice about what changed since the period before, instead of what to improve. */
  advice: oneOf("changes"),
  /** The flame graph's search: `q` is the table's. The rest is read by the flame graph's own link codec, with fallbacks. */
  find: anything,
  zoom: anything,
  focus: anything,
  callers: anything,
  transforms: anything,
  fn: anything,
  scheme: anything,
  pane: anything,
  legend: anything,
};

export type ServiceSearch = SearchOf<typeof serviceSearch>;

/** The selection of a link, an ISO 8601 interval such as `2026-11-20T10:00:00Z/2026-11-20T11:00:00Z`; undefined if it is none. */
export function selectionOf(text: string | undefined): TimeSpan | undefined {
  const [from, to, ...rest] = (text ?? "").split("/").map(moment);
  if (from === undefined || to === undefined || rest.length > 0) return undefined;
  const span = { fromMs: Date.parse(from), toMs: Date.parse(to) };
  return span.fromMs < span.toMs ? span : undefined;
}

export function selectionText({ fromMs, toMs }: TimeSpan): string {
  return `${isoText(fromMs)}/${isoText(toMs)}`;
}

/** Query parameters of calls over the selection. */
export function queryOfSelection({ fromMs, toMs }: TimeSpan): { readonly from: string; readonly to: string } {
  return { from: isoText(fromMs), to: isoText(toMs) };
}
