import { z } from "zod";
import { displayTypes, profileTypes, storedTypes, type TypeAlias, typeAliases } from "./profile-types.ts";

export const ProfileType = z.enum(profileTypes).meta({ description: "Kind of profile.", example: "cpu" });

/** The types that senders may name. */
export const SentProfileType = z.enum([...profileTypes, ...(Object.keys(typeAliases) as TypeAlias[])]).meta({
  description:
    "Kind of profile. Names of Go's endpoints mean the kind that they serve: `heap` and `allocs` memory, `profile` cpu, `goroutineleak` goroutine_leak, `threadcreate` custom. `wall` is a wall-clock profile, which is filed under custom. Taken from the content when absent; refused where the content is something else.",
  example: "cpu",
});
export type SentProfileType = z.output<typeof SentProfileType>;

export const StoredType = z
  .enum(storedTypes)
  .meta({ description: "Kind of profile; `metrics` is a batch of HTTP metrics.", example: "cpu" });

export const DisplayType = z.enum(displayTypes).meta({
  description: "Kind of profile for people: the type, or `wall` for a custom profile of wall time.",
  example: "cpu",
});
