import { createHash } from "node:crypto";
import { z } from "zod";

/** Calls a server as a person who is signed in; throws unless it answers 200. */
export type Get = (path: string) => Promise<Uint8Array>;

/** The time of the recorded profiles. */
export interface Range {
  readonly from: string;
  readonly to: string;
}

/** Sums of floating-point numbers depend on their order in the last digits. */
const Rounded = z.number().transform((value) => Number(value.toPrecision(9)));
const rounded = (value: number) => (Number.isInteger(value) ? value : Number(value.toPrecision(12)));
const Counts = z.record(z.string(), z.int());

/** The fields that are compared: later versions may add others. */
const Summary = z.object({
  summary: z.object({
    total_profiles: z.int(),
    profiles_by_type: Counts,
    top_services: z.array(
      z.object({
        name: z.string(),
        profile_count: z.int(),
        profiles_by_type: Counts,
        last_activity: z.string(),
      }),
    ),
  }),
});

const ProfileList = z.object({
  profiles: z.array(
    z.object({
      profile_id: z.string(),
      service: z.string(),
      type: z.string(),
      timestamp: z.string(),
      tags: z.record(z.string(), z.string()),
      statistics: z.object({ total_samples: z.number() }),
      sample_types: z.array(z.object({ type: z.string(), unit: z.string(), total: z.number() })),
      stack_count: z.int(),
      size_bytes: z.int(),
    }),
  ),
});

const Graph = z.object({
  total_samples: z.number(),
  profiles_merged: z.int(),
  aggregation: z.string(),
  root: z.unknown().transform((root) => functionsOf(root as Box)),
});

const SharedFunctions = z.object({
  total: Rounded,
  functions_total: z.int(),
  functions: z.array(z.object({ name: z.string(), file: z.string(), self: Rounded, total: Rounded })),
});

const Labels = z.object({
  total: z.number(),
  keys: z.array(
    z.object({ name: z.string(), values: z.array(z.object({ value: z.string(), total: z.number() })) }),
  ),
});

const Timeline = z.object({
  data_points: z.array(z.record(z.string(), z.union([z.string(), Rounded, z.null()]))),
});

export const Organization = z.object({ id: z.string(), name: z.string(), members: z.int() });

const ofOrganization = {
  organization: Organization,
  "organization/members": z.object({
    members: z.array(z.object({ id: z.string(), name: z.string(), email: z.string(), role: z.string() })),
  }),
  "alerts/rules": z.object({
    rules: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        service: z.string(),
        signal: z.string(),
        sample_type: z.string().nullable(),
        tags: z.record(z.string(), z.string()),
        comparison: z.string(),
        threshold: z.number(),
        minutes: z.int(),
        severity: z.string(),
        unit: z.string(),
        created_by: z.string().nullable(),
        created_at: z.string(),
      }),
    ),
  }),
  dashboards: z.object({
    dashboards: z.array(
      z.object({ id: z.string(), name: z.string(), panels: z.int(), version: z.int(), saved_at: z.string() }),
    ),
  }),
  projects: z.object({
    projects: z.array(
      z.object({ name: z.string(), description: z.string(), status: z.string(), tags: z.array(z.string()) }),
    ),
  }),
  "source-links": z.object({ source_links: z.array(z.record(z.string(), z.unknown())) }),
  "api-keys": z.object({
    api_keys: z.array(z.object({ id: z.string(), name: z.string(), scope: z.string(), prefix: z.string() })),
  }),
  "organization/retention": z.object({ retention_days: z.int().nullable() }),
};

/** Alerts and findings that the server made, and targets. The state of an alert changes with time. */
const made = {
  alerts: z.object({
    alerts: z.array(
      z.object({ id: z.string(), service: z.string(), severity: z.string(), current_value: z.number() }),
    ),
  }),
  findings: z.object({
    findings: z.array(
      z.object({
        id: z.string(),
        service: z.string(),
        type: z.string(),
        rule: z.string().nullable(),
        issue: z.string(),
        state: z.string(),
        reason: z.string().nullable(),
        first_seen_at: z.string(),
      }),
    ),
    counts: Counts,
  }),
  targets: z.object({
    targets: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        service: z.string(),
        source: z.record(z.string(), z.unknown()),
        interval_seconds: z.int(),
        profiles: z.array(z.string()),
        tags: z.record(z.string(), z.string()),
        header_names: z.array(z.string()),
        is_enabled: z.boolean(),
      }),
    ),
  }),
};

/**
 * Reads totals, lists, graphs, requests and downloads of a person's organization, and the things that people made. Each version has to
 * answer the same about the same folder.
 */
export async function figuresOf(get: Get, range: Range): Promise<object> {
  const query = String(new URLSearchParams({ ...range }));
  const read = async (schema: z.ZodType, path: string, more = "") => {
    const text = new TextDecoder().decode(await get(`${path}?${more === "" ? "" : `${more}&`}${query}`));
    return schema.parse(JSON.parse(text));
  };
  const figures: Record<string, unknown> = {};
  const { summary } = Summary.parse(await read(Summary, "summary"));
  figures.summary = summary;
  for (const { name, profiles_by_type } of summary.top_services) {
    const ofService = (path: string) => `${path}/service/${name}`;
    for (const type of Object.keys(profiles_by_type).filter((each) => each !== "metrics")) {
      const path = ofService("flamegraph");
      figures[`graph of ${name}, ${type}`] = await read(Graph, `${path}/${type}`);
    }
    figures[`timeline of ${name}`] = await read(Timeline, ofService("timeline"), "bucket=1h");
    figures[`labels of ${name}`] = await read(Labels, `${ofService("labels")}/cpu`);
    figures[`requests of ${name}`] = await read(Timeline, `timeline/http/${name}`, "bucket=1h");
  }
  figures.functions = await read(
    SharedFunctions,
    "functions/shared",
    "services_min=1&scope=all&type=cpu&limit=5",
  );
  const list = ProfileList.parse(await read(ProfileList, "profiles", "page_size=12"));
  figures.profiles = list;
  for (const { profile_id } of list.profiles.filter(({ type }) => type !== "metrics")) {
    const bytes = await get(`profile/${profile_id}/download`);
    figures[`download of ${profile_id}`] = createHash("sha256").update(bytes).digest("hex");
  }
  for (const [path, schema] of Object.entries({ ...ofOrganization, ...made })) {
    figures[path] = await read(schema, path, path === "findings" ? "state=all" : "");
  }
  return figures;
}

interface Box {
  readonly function_name: string;
  readonly self_value: number;
  readonly children?: readonly Box[];
}

/** The boxes of a flame graph, their sum, and the functions with the most self value. */
function functionsOf(root: Box): object {
  const self = new Map<string, number>();
  let boxes = 0;
  let sum = 0;
  const visit = ({ function_name, self_value, children = [] }: Box): void => {
    boxes++;
    sum += self_value;
    self.set(function_name, (self.get(function_name) ?? 0) + self_value);
    for (const child of children) visit(child);
  };
  visit(root);
  const top = [...self].toSorted((a, b) => b[1] - a[1] || a[0].localeCompare(b[0])).slice(0, 5);
  return { boxes, sum: rounded(sum), top: top.map(([name, value]) => [name, rounded(value)]) };
}
