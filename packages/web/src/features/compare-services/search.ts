import { limits } from "@flamekeep/contract";
import { rangeSearch } from "#time-range/search.ts";
import { several, text } from "#url/search.ts";

/** More columns than this cannot be read side by side. */
export const servicesMax = 4;

export const compareServicesSearch = {
  ...rangeSearch,
  service: several(text({ min: 1, max: limits.serviceNameLengthMax }), servicesMax),
};
