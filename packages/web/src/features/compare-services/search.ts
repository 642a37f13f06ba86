import { limits } from "@flamekeep/contract";
import { rangeSearch } from "#time-range/search.ts";
import { several, text, textLike } from "#url/search.ts";

/** More columns than this cannot be read side by side. */
export const sidesMax = 4;

export const compareServicesSearch = {
  ...rangeSearch,
  service: several(text({ min: 1, max: limits.serviceNameLengthMax }), sidesMax),
  /** Ids of projects that are groups of services; before the services. */
  project: several(textLike(/^[\da-f-]{36}$/), sidesMax),
};
