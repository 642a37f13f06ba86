/** The kinds of profile a program can send. */
export const profileTypes = [
  "cpu",
  "memory",
  "goroutine",
  "goroutine_leak",
  "mutex",
  "block",
  "custom",
] as const;
export type ProfileType = (typeof profileTypes)[number];

/**
 * Other names that senders may use, and the type under which each is stored: Go's profiling endpoints (`/debug/pprof/heap`), and
 * `wall`, the display type of wall-clock profiles.
 */
export const typeAliases = {
  heap: "memory",
  allocs: "memory",
  profile: "cpu",
  goroutineleak: "goroutine_leak",
  threadcreate: "custom",
  wall: "custom",
} as const satisfies Readonly<Record<string, ProfileType>>;
export type TypeAlias = keyof typeof typeAliases;

/** As stored and listed: each accepted batch of HTTP metrics is one profile of type metrics. */
export const storedTypes = [...profileTypes, "metrics"] as const;
export type StoredType = (typeof storedTypes)[number];

/** The type for people: wall-clock profiles, which are stored as custom, have a separate name. */
export const displayTypes = [...storedTypes, "wall"] as const;
export type DisplayType = (typeof displayTypes)[number];

/** The display type of a profile with these sample types, each by its name alone or as `type/unit`. */
export function displayTypeOf(type: StoredType, sampleTypes: readonly string[]): DisplayType {
  return type === "custom" && sampleTypes.some((name) => /^wall(\/|$)/.test(name)) ? "wall" : type;
}

/** The tabs of a service's page. */
export const profileTabs = ["all", ...profileTypes, "wall"] as const;
export type ProfileTab = (typeof profileTabs)[number];

/** The tab of a route's type segment, in lower case; `all` if it is unknown or missing. */
export function profileTabOf(segment: string | undefined): ProfileTab {
  const lower = segment?.toLowerCase();
  return profileTabs.find((tab) => tab === lower) ?? "all";
}
