import { z } from "zod";

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
export const ProfileType = z.enum(profileTypes).meta({ description: "Kind of profile.", example: "cpu" });
export type ProfileType = z.output<typeof ProfileType>;

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

/** The types that senders may name. */
export const SentProfileType = z.enum([...profileTypes, ...(Object.keys(typeAliases) as TypeAlias[])]).meta({
  description:
    "Kind of profile. Names of Go's endpoints mean the kind that they serve: `heap` and `allocs` memory, `profile` cpu, `goroutineleak` goroutine_leak, `threadcreate` custom. `wall` is a wall-clock profile, which is filed under custom. Taken from the content when absent; refused where the content is something else.",
  example: "cpu",
});
export type SentProfileType = z.output<typeof SentProfileType>;

/** As stored and listed: each accepted batch of HTTP metrics is one profile of type metrics. */
export const storedTypes = [...profileTypes, "metrics"] as const;
export const StoredType = z
  .enum(storedTypes)
  .meta({ description: "Kind of profile; `metrics` is a batch of HTTP metrics.", example: "cpu" });
export type StoredType = z.output<typeof StoredType>;

/** The type for people: wall-clock profiles, which are stored as custom, have a separate name. */
export const displayTypes = [...storedTypes, "wall"] as const;
export const DisplayType = z.enum(displayTypes).meta({
  description: "Kind of profile for people: the type, or `wall` for a custom profile of wall time.",
  example: "cpu",
});
export type DisplayType = z.output<typeof DisplayType>;

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
