import { listDeploys, listServiceTags, serviceLabels } from "@flamekeep/contract";
import { z } from "zod";
import { percentOf, printableName } from "#mcp/text/quantity.ts";
import { fields, labelQuery, tagQuery, tool } from "./tool.ts";

const valuesShown = 8;

interface Named {
  readonly name: string;
  /** Each with its share or its count. */
  readonly values: readonly string[];
  readonly all: number;
}

function namedText({ name, values, all }: Named): string {
  const shown = values.slice(0, valuesShown).join(", ");
  return `  ${printableName(name)}: ${shown}${all > valuesShown ? ` and ${all - valuesShown} more` : ""}`;
}

export const listLabels = tool({
  name: "list_labels",
  title: "List labels and tags",
  description:
    "Use it to narrow down: tags of the profiles (version, instance, region) and labels of the samples (handler), each with its values. Other tools filter by them with `tags` and `labels`.",
  input: z.object({
    service: fields.service,
    type: fields.type.default("cpu"),
    from: fields.from,
    to: fields.to,
    tags: fields.tags,
    labels: fields.labels,
  }),
  async run(read, { service, type, from, to, tags, labels }) {
    const range = { from, to, ...tagQuery(tags) };
    const [ofProfiles, ofSamples] = await Promise.all([
      read(listServiceTags, { params: { service }, query: { ...range, type } }),
      read(serviceLabels, { params: { service, type }, query: { ...range, labels: labelQuery(labels) } }),
    ]);
    const { total, keys } = ofSamples;
    return [
      "tags of profiles (number of profiles):",
      ...orNone(
        ofProfiles.tags.map(({ name, values, values_total: all }) => ({
          ...{ name, all },
          values: values.map(({ value, profiles }) => `${printableName(value)} ${profiles}`),
        })),
      ),
      `labels of samples (share of ${type}):`,
      ...orNone(
        keys.map(({ name, values, values_total: all }) => ({
          ...{ name, all },
          values: values.map((each) => `${printableName(each.value)} ${percentOf(each.total, total)}`),
        })),
      ),
    ].join("\n");
  },
});

function orNone(named: readonly Named[]): readonly string[] {
  return named.length === 0 ? ["  none"] : named.map(namedText);
}

export const listDeploysTool = tool({
  name: "list_deploys",
  title: "List deploys",
  description:
    "Use it to find the release behind a change: when new versions of a service appeared, with the tags for compare_ranges.",
  input: z.object({ service: fields.service, from: fields.from.default("7d"), to: fields.to }),
  async run(read, { service, ...query }) {
    const { deploys, deploys_total: all } = await read(listDeploys, { params: { service }, query });
    if (deploys.length === 0) return "No new version of this service in this range.";
    const more = all > deploys.length ? [`(the latest ${deploys.length} of ${all})`] : [];
    const texts = deploys.toReversed().map(({ timestamp, tag, value, previous }) => {
      const [name, before, after] = [tag, previous, value].map(printableName);
      return `${timestamp} ${name} ${before} -> ${after}`;
    });
    return [...texts, ...more].join("\n");
  },
});
