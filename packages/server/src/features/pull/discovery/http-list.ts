import { isServiceName, limits, type TargetDefinition, type TargetSource } from "@flamekeep/contract";
import { z } from "zod";
import { type Client, PullError } from "#pull/connect/client.ts";
import { checkCount, type Instance } from "./instance.ts";

/** Prometheus' `http_sd` (https://prometheus.io/docs/prometheus/latest/http_sd). */
const Group = z.object({
  targets: z.array(z.string()),
  labels: z.record(z.string(), z.string()).optional(),
});
type Group = z.output<typeof Group>;
const Groups = z.array(Group);

const bytesMax = 1024 * 1024;
const groupsMax = limits.targetInstancesMax;
const tooLarge = "Check the URL, or divide the list into several.";
const timeoutMs = 10_000;
const serviceLabels = ["service_name", "service", "job"] as const;

interface Listed {
  readonly instances: readonly Instance[];
  /** Why entries are left out. */
  readonly problem: string | null;
}

/** The processes that a JSON list names. Entries that cannot be used are left out, and an error only if no other is there. */
export async function findByHttp(
  definition: Pick<TargetDefinition, "service" | "tags">,
  { url, scheme }: Extract<TargetSource, { kind: "http" }>,
  { client, stopped }: { readonly client: Client; readonly stopped: AbortSignal },
): Promise<Listed> {
  const { status, body } = await client.get(url, { timeoutMs, bytesMax, tooLarge, stopped });
  const { host } = new URL(url);
  if (status !== 200) {
    throw new PullError(`${host} answered ${status} to the list of targets. Check the URL and the headers.`);
  }
  const list = jsonOf(body);
  if (Array.isArray(list) && list.length > groupsMax)
    throw new PullError(`${host} lists ${list.length} groups, and may list ${groupsMax}. ${tooLarge}`);
  const groups = Groups.safeParse(list);
  if (!groups.success) {
    throw new PullError(
      `${host} sent no list of targets. It must be JSON as for Prometheus: [{ "targets": ["10.1.2.3:6060"], "labels": { "service_name": "checkout" } }].`,
    );
  }
  checkCount(groups.data.reduce((count, { targets }) => count + targets.length, 0));
  const problems: string[] = [];
  const instances = groups.data.flatMap((group) => instancesOf(group, { ...definition, scheme }, problems));
  if (problems.length === 0) return { instances, problem: null };
  const others = problems.length === 1 ? "" : ` So are ${problems.length - 1} others.`;
  const problem = `${host} lists ${problems[0]} It is left out.${others}`;
  if (instances.length === 0) throw new PullError(problem);
  return { instances, problem };
}

interface Defaults extends Pick<TargetDefinition, "service" | "tags"> {
  readonly scheme: "http" | "https";
}

function instancesOf(
  { targets, labels = {} }: Group,
  defaults: Defaults,
  problems: string[],
): readonly Instance[] {
  const { __scheme__: own, ...others } = labels;
  const scheme = (own ?? defaults.scheme) === "https" ? "https" : "http";
  const service = defaults.service || serviceOf(others);
  const tags = { ...publicLabels(others), ...defaults.tags };
  return targets.flatMap((place) => {
    const origin = originOf(scheme, place);
    if (origin !== undefined && service !== undefined) return [{ instance: place, service, tags, origin }];
    const shown = `“${place.slice(0, 200)}”`;
    problems.push(
      origin === undefined
        ? `${shown}, which is no host and port.`
        : `${shown} without a label service_name, service or job. Add one, or set the service of the target.`,
    );
    return [];
  });
}

/** Undefined if it is no host with an optional port. */
function originOf(scheme: "http" | "https", place: string): string | undefined {
  const origin = `${scheme}://${place}`;
  if (!URL.canParse(origin)) return undefined;
  const { host, hostname } = new URL(origin);
  // A URL leaves out the default port of its scheme.
  const withPort = `${hostname}:${scheme === "https" ? 443 : 80}`;
  const written = place.toLowerCase();
  return written === host || (host === hostname && written === withPort) ? origin : undefined;
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}

function serviceOf(labels: Readonly<Record<string, string>>): string | undefined {
  const name = serviceLabels.map((label) => labels[label]).find((text) => text !== undefined);
  return name !== undefined && isServiceName(name) ? name : undefined;
}

/** Labels for Prometheus itself begin with two underscores. `instance` is the address. As many become tags as a target may have. */
function publicLabels(labels: Readonly<Record<string, string>>): Record<string, string> {
  const tags = Object.entries(labels).filter(
    ([name, value]) =>
      !name.startsWith("__") &&
      value !== "" &&
      name !== "instance" &&
      !(serviceLabels as readonly string[]).includes(name),
  );
  return Object.fromEntries(tags.slice(0, limits.targetTagsMax));
}
