import { readFile } from "node:fs/promises";
import type { TargetDefinition, TargetProfile, TargetSource } from "@flamekeep/contract";
import { z } from "zod";
import type { Config } from "#config";
import { Client, PullError } from "#pull/connect/client.ts";
import { hostPort, type Instance } from "./instance.ts";

/** The part of a Pod that is used (https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1). */
const Pod = z.object({
  metadata: z.object({
    name: z.string(),
    namespace: z.string(),
    labels: z.record(z.string(), z.string()).optional(),
    annotations: z.record(z.string(), z.string()).optional(),
    deletionTimestamp: z.string().nullish(),
  }),
  spec: z.object({
    containers: z.array(
      z.object({
        ports: z.array(z.object({ name: z.string().optional(), containerPort: z.int() })).optional(),
      }),
    ),
  }),
  status: z.object({ phase: z.string().optional(), podIP: z.string().optional() }),
});
type Pod = z.output<typeof Pod>;

const PodList = z.object({
  metadata: z.object({ continue: z.string().optional() }),
  items: z.array(Pod),
});

const pageSize = 500;
/** 100,000 pods: more than a cluster has. */
const pagesMax = 200;
const bytesMax = 64 * 1024 * 1024;
const tooLarge = "Choose a namespace or a selector.";
const timeoutMs = 20_000;

type PodsSource = Extract<TargetSource, { kind: "kubernetes" }>;
type Found = Pick<TargetDefinition, "service" | "tags" | "profiles">;

/** The pods whose annotations ask to be scraped. */
export async function findPods(
  definition: Found,
  source: PodsSource,
  { config, stopped }: { readonly config: Config["pull"]; readonly stopped: AbortSignal },
): Promise<Instance[]> {
  const { kubernetes } = config;
  if (kubernetes === undefined)
    throw new PullError("Pods are not found on this server: the operator can set PULL_KUBERNETES=on.");
  if (kubernetes.url === undefined)
    throw new PullError(
      "This server does not run in a Kubernetes cluster (KUBERNETES_SERVICE_HOST is not set), so it cannot find pods. Use DNS or a JSON list.",
    );
  const [token, ca] = await Promise.all(
    [kubernetes.tokenFile, kubernetes.caFile].map((file) =>
      readFile(file, "utf8").catch((cause: unknown) => {
        throw new PullError(
          `The service account's ${file} cannot be read. Set automountServiceAccountToken: true for this server's pod.`,
          { cause },
        );
      }),
    ),
  );
  const client = new Client({
    // The operator's own cluster, not an address that a member chose.
    reach: { lookup: undefined, refusalOf: () => undefined },
    headers: { authorization: `Bearer ${token!.trim()}`, accept: "application/json" },
    tls: { ca: ca!, skip_verification: false },
  });
  try {
    const pods = await listPods(client, kubernetes.url, source, stopped);
    return pods.flatMap((pod) => instancesOf(pod, definition, source.annotations));
  } finally {
    client.close();
  }
}

/** Page by page. A list that changed too much meanwhile (410) is read again from its start. */
async function listPods(
  client: Client,
  api: string,
  { namespace, selector }: PodsSource,
  stopped: AbortSignal,
): Promise<Pod[]> {
  const url = new URL(namespace === "" ? "/api/v1/pods" : `/api/v1/namespaces/${namespace}/pods`, api);
  url.searchParams.set("limit", String(pageSize));
  if (selector !== "") url.searchParams.set("labelSelector", selector);
  let pods: Pod[] = [];
  let restarts = 0;
  for (let page = 0; page < pagesMax; page++) {
    const { status, body } = await client.get(url.href, { timeoutMs, bytesMax, tooLarge, stopped });
    if (status === 410 && restarts++ < 2) {
      url.searchParams.delete("continue");
      pods = [];
      continue;
    }
    if (status !== 200) throw new PullError(refusedText(status, namespace, body));
    const list = PodList.safeParse(JSON.parse(body.toString("utf8")));
    if (!list.success) throw new PullError("The cluster's API sent no list of pods (v1). Check its version.");
    pods.push(...list.data.items);
    const { continue: next } = list.data.metadata;
    if (next === undefined || next === "") return pods;
    url.searchParams.set("continue", next);
  }
  throw new PullError("The cluster has too many pods. Choose a namespace or a selector.");
}

function refusedText(status: number, namespace: string, body: Buffer): string {
  const where = namespace === "" ? "all namespaces (ClusterRole)" : `the namespace ${namespace} (Role)`;
  if (status === 401 || status === 403)
    return `The cluster's API refuses the list of pods (${status}). Allow this server's service account to list pods in ${where}.`;
  return `The cluster's API answered ${status} to the list of pods: ${body.toString("utf8").slice(0, 200)}`;
}

/** Names of Grafana's annotations, and the profiles that they are for. */
const grafanaKinds: Readonly<Record<string, readonly TargetProfile[]>> = {
  cpu: ["cpu"],
  memory: ["heap", "allocs", "delta_heap"],
  goroutine: ["goroutine", "goroutineleak"],
  mutex: ["mutex", "delta_mutex"],
  block: ["block", "delta_block"],
  fgprof: ["fgprof"],
};

/** A process for each port that the annotations of a pod name. */
function instancesOf(pod: Pod, definition: Found, prefix: PodsSource["annotations"]): Instance[] {
  const { metadata, status } = pod;
  const { annotations = {} } = metadata;
  const { podIP } = status;
  if (podIP === undefined || status.phase !== "Running" || metadata.deletionTimestamp) return [];
  const asked = (name: string) => annotations[`${prefix}/${name}`];
  const groups =
    prefix === "prometheus.io"
      ? [{ key: "", profiles: definition.profiles }]
      : Object.entries(grafanaKinds).map(([kind, names]) => ({
          key: `${kind}.`,
          profiles: definition.profiles.filter((name) => names.includes(name)),
        }));
  const byOrigin = new Map<string, Instance>();
  for (const { key, profiles } of groups) {
    if (asked(`${key}scrape`) !== "true" || profiles.length === 0) continue;
    const port = portOf(pod, asked(`${key}port`), asked(`${key}port_name`));
    if (port === undefined) continue;
    const instance = hostPort(podIP, port);
    const origin = `${asked(`${key}scheme`) === "https" ? "https" : "http"}://${instance}`;
    const before = byOrigin.get(origin)?.profiles ?? [];
    byOrigin.set(origin, {
      instance,
      service: definition.service || serviceOf(pod),
      tags: { ...podTags(pod), ...definition.tags },
      origin,
      profiles: [...before, ...profiles],
    });
  }
  return [...byOrigin.values()];
}

/** The port of the annotation, or the only port of the pod. */
function portOf({ spec }: Pod, port: string | undefined, name: string | undefined): number | undefined {
  const number = Number(port);
  if (Number.isInteger(number) && number > 0 && number < 65_536) return number;
  const ports = spec.containers.flatMap((container) => container.ports ?? []);
  if (name !== undefined) return ports.find((each) => each.name === name)?.containerPort;
  return ports.length === 1 ? ports[0]!.containerPort : undefined;
}

function serviceOf({ metadata: { name, labels = {} } }: Pod): string {
  return labels["app.kubernetes.io/name"] ?? labels["app"] ?? labels["k8s-app"] ?? workloadOf(name, labels);
}

/** A pod's name without what its controller added. */
function workloadOf(name: string, labels: Readonly<Record<string, string>>): string {
  const hash = labels["pod-template-hash"];
  const at = hash === undefined ? -1 : name.indexOf(`-${hash}-`);
  return at > 0 ? name.slice(0, at) : name.replace(/-\d+$/, "");
}

function podTags({ metadata: { name, namespace, labels = {} } }: Pod): Record<string, string> {
  const version = labels["app.kubernetes.io/version"];
  return { namespace, pod: name, ...(version === undefined ? {} : { version }) };
}
