import { z } from "zod";
import {
  displayTypes,
  graphTypes,
  markOf,
  profileTypeEntry,
  profileTypes,
  separateTypes,
  storedTypeOf,
  storedTypes,
  type TypeAlias,
  typeAliases,
} from "./profile-types.ts";

export const ProfileType = z.enum(profileTypes).meta({ description: "Kind of profile.", example: "cpu" });

/** For descriptions of parameters. */
export const separateTypesText = separateTypes
  .map((type) => `\`${type}\` is \`${storedTypeOf(type)}\` with the sample type \`${markOf(type)}\`.`)
  .join(" ");

const separateNames = separateTypes.map((type) => {
  const { profile, storedAs } = profileTypeEntry(type);
  return `\`${type}\` is ${profile}, which is filed under ${storedAs}.`;
});

/** The types that senders may name. */
export const SentProfileType = z.enum([...profileTypes, ...(Object.keys(typeAliases) as TypeAlias[])]).meta({
  description: `Kind of profile. Names of Go's endpoints mean their kind: \`heap\` and \`allocs\` memory, \`profile\` cpu, \`goroutineleak\` goroutine_leak, \`threadcreate\` custom. ${separateNames.join(" ")} Derived from the content when absent; rejected if the content differs.`,
  example: "cpu",
});
export type SentProfileType = z.output<typeof SentProfileType>;

export const StoredType = z
  .enum(storedTypes)
  .meta({ description: "Kind of profile; `metrics` is a batch of HTTP metrics.", example: "cpu" });

export const DisplayType = z.enum(displayTypes).meta({
  description: `Kind of profile for people: the type, or the name of a kind of custom profile. ${separateTypesText}`,
  example: "cpu",
});

/** The types of profiles that have stacks. */
export const GraphType = z.enum(graphTypes).meta({ example: "cpu" });
