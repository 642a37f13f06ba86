import { limits, timeBuckets } from "@flamekeep/contract";
import { groupingSearch } from "#flame-graph/toolbar/grouping-params.ts";
import { moment } from "#time-range/search.ts";
import { anything, oneOf, type Reader, type SearchOf, text, texts } from "#url/search.ts";
import { selectionOf } from "./model/selection.ts";

const selectionLike = text({ max: 100 });

const selection: Reader<string> = (value) => {
  const interval = selectionLike(value);
  return selectionOf(interval) === undefined ? undefined : interval;
};

/** View state of the service's page in the URL, next to the time range and the table's; malformed parts are ignored. */
export const serviceSearch = {
  selection,
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
