import { anything, type SearchOf } from "#url/search.ts";

/** The differences from the first view of a public link, read by the flame graph's own link codec. */
export const sharedSearch = {
  zoom: anything,
  focus: anything,
  callers: anything,
  transforms: anything,
  fn: anything,
  q: anything,
  scheme: anything,
  pane: anything,
  legend: anything,
  mode: anything,
  layout: anything,
  color: anything,
};

export type SharedSearch = SearchOf<typeof sharedSearch>;
