import { listProfiles } from "@flamekeep/contract";
import { z } from "zod";
import { printableName } from "#mcp/text/names.ts";
import { quantityText } from "#mcp/text/quantity.ts";
import { fields, tagQuery, tool } from "./tool.ts";

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
    return profiles.map(lineOf).join("\n");
  },
});

interface ListedProfile {
  readonly profile_id: string;
  readonly display_type: string;
  readonly timestamp: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly sample_types: readonly { readonly type: string; readonly unit: string; readonly total: number }[];
}

function lineOf({
  profile_id: id,
  display_type: type,
  timestamp,
  tags,
  sample_types,
}: ListedProfile): string {
  const labels = Object.entries(tags).map(
    ([name, value]) => `${printableName(name)}=${printableName(value)}`,
  );
  const totals = sample_types.map(
    (each) => `${printableName(each.type)} ${quantityText(each.total, each.unit)}`,
  );
  return `${id} ${type} ${timestamp} [${labels.join(" ")}] ${totals.join(", ")}`;
}
