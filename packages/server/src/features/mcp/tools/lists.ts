import { limits, listProfiles, listServices, type Profile, type ServiceTotals } from "@flamekeep/contract";
import { z } from "zod";
import { printableName, quantityText } from "#mcp/text/quantity.ts";
import { fields, tagQuery, tool } from "./tool.ts";

export const listServicesTool = tool({
  name: "list_services",
  title: "List services",
  description:
    "Services that sent profiles, the latest activity first, with the number of profiles of each type and the time of the latest.",
  input: z.object({
    from: fields.from.default("24h"),
    to: fields.to,
    name: z
      .string()
      .max(limits.searchLengthMax)
      .default("")
      .describe("Only services with this text in their name."),
  }),
  async run(read, { name, ...range }) {
    const { services, total, totals } = await read(listServices, {
      query: { ...range, q: name, include_totals: "true" },
    });
    if (totals.services === 0) return "No service sent profiles in this range.";
    if (total === 0) return "No service of this range has this text in its name.";
    const lines = services.map(serviceLine);
    const rest = total - services.length;
    return [...lines, ...(rest > 0 ? [`${rest} more: give a part of the name.`] : [])].join("\n");
  },
});

function serviceLine({
  name,
  last_activity: last,
  profiles_by_display_type: counts = {},
}: ServiceTotals): string {
  const types = Object.entries(counts).map(([type, count]) => `${type} ${count}`);
  return `${printableName(name)}: ${types.join(", ")}; latest ${last}`;
}

export const listProfilesTool = tool({
  name: "list_profiles",
  title: "List profiles",
  description: "Single profiles of a service, newest first, with their ids, times, tags and totals.",
  input: z.object({
    service: fields.service,
    type: fields.type.optional(),
    from: fields.from,
    to: fields.to,
    tags: fields.tags,
    limit: z.int().min(1).max(50).default(20).describe("Most profiles to list."),
  }),
  async run(read, { tags, type, ...query }) {
    const { profiles } = await read(listProfiles, {
      query: { ...query, ...(type && { display_type: type }), ...tagQuery(tags), include_metrics: "false" },
    });
    if (profiles.length === 0) return "No profile of this service in this range.";
    return profiles.map(profileLine).join("\n");
  },
});

function profileLine({ profile_id: id, display_type: type, timestamp, tags, sample_types }: Profile): string {
  const labels = Object.entries(tags).map(
    ([name, value]) => `${printableName(name)}=${printableName(value)}`,
  );
  const totals = sample_types.map(
    (each) => `${printableName(each.type)} ${quantityText(each.total, each.unit)}`,
  );
  return `${id} ${type} ${timestamp} [${labels.join(" ")}] ${totals.join(", ")}`;
}
