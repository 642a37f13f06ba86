import type { TargetDefinition, TargetSource } from "@flamekeep/contract";
import type { Config } from "#config";
import type { Client } from "#pull/connect/client.ts";
import type { Reach } from "#pull/connect/reach.ts";
import { findByDns, type Resolver } from "./dns.ts";
import { findByHttp } from "./http-list.ts";
import { checkCount, type Instance } from "./instance.ts";
import { findPods } from "./pods.ts";

export interface Finding {
  readonly client: Client;
  readonly resolver: Resolver;
  readonly reach: Reach;
  readonly config: Config["pull"];
  readonly stopped: AbortSignal;
}

/** Seconds until the processes of a target are looked up again; a URL names its process for good. */
export const findAgainSeconds: Readonly<Record<TargetDefinition["source"]["kind"], number>> = {
  url: Number.POSITIVE_INFINITY,
  dns: 30,
  http: 60,
  kubernetes: 30,
};

interface Found {
  /** Each once. */
  readonly instances: readonly Instance[];
  /** A sentence about entries that are left out. */
  readonly problem: string | null;
}

/** The processes of a target. Throws a PullError that says what to do. */
export async function findInstances(definition: TargetDefinition, finding: Finding): Promise<Found> {
  const { source } = definition;
  const { instances, problem } =
    source.kind === "http"
      ? await findByHttp(definition, source, finding)
      : { instances: await find(definition, source, finding), problem: null };
  const byOrigin = new Map(instances.map((each) => [each.origin, each]));
  checkCount(byOrigin.size);
  return { instances: [...byOrigin.values()], problem };
}

async function find(
  definition: TargetDefinition,
  source: Exclude<TargetSource, { kind: "http" }>,
  finding: Finding,
): Promise<Instance[]> {
  const { service, tags } = definition;
  switch (source.kind) {
    case "url": {
      const { protocol, host, port, pathname } = new URL(source.url);
      const instance = port === "" ? `${host}:${protocol === "https:" ? 443 : 80}` : host;
      return [{ instance, service, tags, origin: `${protocol}//${host}${prefixOf(pathname)}` }];
    }
    case "dns":
      return findByDns(definition, source, finding);
    case "kubernetes":
      return findPods(definition, source, finding);
  }
}

/** The path before `/debug/pprof`: people copy the address of the index page or of one profile. */
function prefixOf(pathname: string): string {
  const parts = pathname.split("/").filter((part) => part !== "");
  const at = parts.findIndex((part, index) => part === "debug" && parts[index + 1] === "pprof");
  return (at === -1 ? parts : parts.slice(0, at)).map((part) => `/${part}`).join("");
}
