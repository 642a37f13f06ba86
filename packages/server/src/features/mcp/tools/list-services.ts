import { listServices } from "@flamekeep/contract";
import { z } from "zod";
import { printableName } from "#mcp/text/names.ts";
import { fields, tool } from "./tool.ts";

export const listServicesTool = tool({
  name: "list_services",
  title: "List services",
  description:
    "Services that sent profiles, with the number of profiles of each type and the time of the latest.",
  input: z.object({ from: fields.from.default("24h"), to: fields.to }),
  async run(read, range) {
    const { services } = await read(listServices, { query: { ...range, include_totals: "true" } });
    if (services.length === 0) return "No service sent profiles in this range.";
    return services.map(lineOf).join("\n");
  },
});

interface Service {
  readonly name: string;
  readonly last_activity: string;
  readonly profiles_by_display_type?: Readonly<Record<string, number | undefined>> | undefined;
}

function lineOf({ name, last_activity: last, profiles_by_display_type: counts = {} }: Service): string {
  const types = Object.entries(counts).map(([type, count]) => `${type} ${count}`);
  return `${printableName(name)}: ${types.join(", ")}; latest ${last}`;
}
