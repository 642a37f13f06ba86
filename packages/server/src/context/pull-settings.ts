import { BlockList, isIPv4 } from "node:net";
import { z } from "zod";
import { choice, isNetwork, listOf, whole } from "./setting-values.ts";

/** How the server pulls profiles from targets of its organizations. */
export const pulling = {
  PULL: choice(["on", "off"], "on").meta({
    description: "`off`: this server pulls no profiles from [targets](../guide/pull.md), and tests none",
  }),
  PULL_PRIVATE_ADDRESSES: z
    .string()
    .refine((text) => ["on", "off"].includes(text) || listOf(text).every(isNetwork), {
      error: "must be on, off, or networks such as 10.0.0.0/8, separated by commas",
    })
    .default("off")
    .meta({
      description:
        "targets in private networks and on this machine, where most services run: `on` allows them all, `10.0.0.0/8,192.168.7.0/24` these networks. Members of every organization can then reach HTTP servers there, so allow it where you trust all who can sign up. Alert webhooks have their own setting; link-local and metadata addresses are never pulled",
    }),
  PULL_SIMULTANEOUS: whole(1, 100_000, 2000).meta({
    description:
      "processes that are scraped at the same time: with CPU profiles each takes nearly its whole interval, a minute at most. Others wait for their turn; where several organizations have targets, none gets more than half",
  }),
  PULL_KUBERNETES: choice(["on", "off"], "off").meta({
    description:
      "`on` allows targets that are found by annotations of pods, through the API of the cluster in which the server runs. Members of every organization then see the pods that its service account may list",
  }),
};

export interface PullConfig {
  readonly isOn: boolean;
  /** Private networks whose addresses may be pulled; `all` for each of them. */
  readonly privateNetworks: "all" | BlockList;
  readonly simultaneousMax: number;
  /** Undefined: pods cannot be found. */
  readonly kubernetes: KubernetesConfig | undefined;
}

interface KubernetesConfig {
  /** The address of the cluster's API; undefined outside of a cluster. */
  readonly url: string | undefined;
  readonly tokenFile: string;
  readonly caFile: string;
}

/** Where Kubernetes puts the credentials of a pod (https://kubernetes.io/docs/tasks/run-application/access-api-from-pod). */
const accountDir = "/var/run/secrets/kubernetes.io/serviceaccount";

type PullEnvironment = z.output<z.ZodObject<typeof pulling>>;

/** @param env as Kubernetes sets it in every pod */
export function pullConfigOf(
  given: PullEnvironment,
  env: { readonly KUBERNETES_SERVICE_HOST?: string; readonly KUBERNETES_SERVICE_PORT?: string },
): PullConfig {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = "443" } = env;
  const url = host && `https://${host.includes(":") ? `[${host}]` : host}:${port}`;
  return {
    isOn: given.PULL === "on",
    privateNetworks: privateNetworksOf(given.PULL_PRIVATE_ADDRESSES),
    simultaneousMax: given.PULL_SIMULTANEOUS,
    kubernetes:
      given.PULL_KUBERNETES === "off"
        ? undefined
        : { url: url || undefined, tokenFile: `${accountDir}/token`, caFile: `${accountDir}/ca.crt` },
  };
}

function privateNetworksOf(text: string): PullConfig["privateNetworks"] {
  if (text === "on") return "all";
  const list = new BlockList();
  for (const network of text === "off" ? [] : listOf(text)) {
    const [address = "", bits] = network.split("/");
    const family = isIPv4(address) ? "ipv4" : "ipv6";
    list.addSubnet(address, Number(bits ?? (family === "ipv4" ? 32 : 128)), family);
  }
  return list;
}
