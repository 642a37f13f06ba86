import { isServiceName, limits, type TargetDefinition, type TargetSource } from "@flamekeep/contract";
import { z } from "zod";
import { type Client, PullError } from "#pull/client.ts";
import type { Instance } from "./instance.ts";

/** Prometheus' `http_sd` (https://prometheus.io/docs/prometheus/latest/http_sd). */
const Groups = z.array(
  z.object({ targets: z.array(z.string()), labels: z.record(z.string(), z.string()).optional() }),
);

const bytesMax = 16 * 1024 * 1024;
const timeoutMs = 10_000;
const serviceLabels = ["service_name", "service", "job"] as const;

/** The processes that a JSON list names. */
export async function findByHttp(
  { service, tags }: Pick<TargetDefinition, "service" | "tags">,
  { url, scheme }: Extract<TargetSource, { kind: "http" }>,
  { client, stopped }: { readonly client: Client; readonly stopped: AbortSignal },
): Promise<Instance[]> {
  const { status, body } = await client.get(url, { timeoutMs, bytesMax, stopped });
  const { host } = new URL(url);
  if (status !== 200) {
    throw new PullError(`${host} answered ${status} to the list of targets. Check the URL and the headers.`);
  }
  const groups = Groups.safeParse(jsonOf(body));
  if (!groups.success) {
    throw new PullError(
      `${host} sent no list of targets. It must be JSON as for Prometheus: [{ "targets": ["10.1.2.3:6060"], "labels": { "service_name": "checkout" } }].`,
    );
  }
  return groups.data.flatMap(({ targets, labels = {} }) =>
    targets.slice(0, limits.targetInstancesMax).map((place) => {
      const { __scheme__: own, ...others } = labels;
      const isHttps = (own ?? scheme) === "https";
      const origin = `${isHttps ? "https" : "http"}://${place}`;
      if (!URL.canParse(origin) || new URL(origin).host.toLowerCase() !== place.toLowerCase())
        throw new PullError(`${host} lists “${place.slice(0, 200)}”, which is no host and port.`);
      return {
        instance: place,
        service: service || serviceOf(others, host),
        tags: { ...publicLabels(others), ...tags },
        origin,
      };
    }),
  );
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}

function serviceOf(labels: Readonly<Record<string, string>>, host: string): string {
  const name = serviceLabels.map((label) => labels[label]).find((text) => text !== undefined);
  if (name !== undefined && isServiceName(name)) return name;
  throw new PullError(
    `${host} lists targets without a label service_name, service or job. Add one, or set the service of the target.`,
  );
}

/** Labels for Prometheus itself begin with two underscores. `instance` is the address. */
function publicLabels(labels: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(labels).filter(
      ([name, value]) =>
        !name.startsWith("__") &&
        value !== "" &&
        name !== "instance" &&
        !(serviceLabels as readonly string[]).includes(name),
    ),
  );
}
