import type { listServices, ReplyOf } from "@flamekeep/contract";

/** The list of an organization without services. */
export const noServices: ReplyOf<typeof listServices> = {
  services: [],
  next_cursor: null,
  total: 0,
  totals: { services: 0, last_activity: null },
};
