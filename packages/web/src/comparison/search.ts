import { comparisonUnits, graphTypes, limits } from "@flamekeep/contract";
import { groupingSearch } from "#flame-graph/toolbar/grouping-params.ts";
import { moment } from "#time-range/search.ts";
import { anything, oneOf, type SearchOf, text, textLike, texts } from "#url/search.ts";

const service = text({ min: 1, max: limits.serviceNameLengthMax });
const profile = textLike(/^[0-9a-f]{32}$/);
const tags = texts({ min: 1, max: limits.tagNameLengthMax }, { max: 1024 });

/** How a comparison is shown, wherever it is. */
export const comparisonLook = {
  per: oneOf(...comparisonUnits),
  mode: oneOf("relative", "absolute"),
  layout: oneOf("sides"),
  /** Colours by the change of totals instead of self values. */
  color: oneOf("total"),
};

/** View state of the comparison in the URL; malformed parts are ignored. The sides have the same names as in the call. */
export const compareSearch = {
  service,
  type: oneOf(...graphTypes),
  sample_type: text({ max: limits.sampleTypeLengthMax }),
  ...comparisonLook,
  ...groupingSearch,
  before_service: service,
  before_profile: profile,
  before_from: moment,
  before_to: moment,
  before_tags: tags,
  before_labels: tags,
  after_service: service,
  after_profile: profile,
  after_from: moment,
  after_to: moment,
  after_tags: tags,
  after_labels: tags,
  zoom: anything,
  focus: anything,
  callers: anything,
  transforms: anything,
  fn: anything,
  q: anything,
  pane: anything,
};

export type CompareSearch = SearchOf<typeof compareSearch>;
