// A file without imports, so that the settings page can use it without loading the schemas.

/** The channels that may get a digest. PagerDuty is left out: a summary needs nobody to act at once. */
export const digestChannels = ["webhook", "slack", "teams", "email"] as const;
export type DigestChannel = (typeof digestChannels)[number];

/** In the order of JavaScript's days, which begin with Sunday. */
export const digestWeekdays = [
  "sunday",
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
] as const;
