import { resolve4, resolve6, resolveSrv } from "node:dns/promises";
import type { TargetDefinition, TargetSource } from "@flamekeep/contract";
import { lookupMs } from "#net/addresses.ts";
import { PullError } from "#pull/connect/client.ts";
import type { Reach } from "#pull/connect/reach.ts";
import { pause } from "#store/job-log.ts";
import { hostPort, type Instance } from "./instance.ts";

/** The part of node:dns that finds processes. */
export interface Resolver {
  resolve4(name: string): Promise<string[]>;
  resolve6(name: string): Promise<string[]>;
  resolveSrv(name: string): Promise<{ readonly name: string; readonly port: number }[]>;
}

export const systemResolver: Resolver = { resolve4, resolve6, resolveSrv };

type DnsSource = Extract<TargetSource, { kind: "dns" }>;

interface Resolving {
  readonly resolver: Resolver;
  readonly reach: Reach;
  readonly stopped: AbortSignal;
}

/**
 * A process for each address, or for each entry of an SRV record. Addresses that are not allowed are left out. If none remains, it fails
 * always after `lookupMs`, with the same sentence: a difference would tell which names exist in the network.
 */
export async function findByDns(
  { service, tags }: Pick<TargetDefinition, "service" | "tags">,
  source: DnsSource,
  resolving: Resolving,
): Promise<Instance[]> {
  const ended = new AbortController();
  const refused = pause(lookupMs, AbortSignal.any([resolving.stopped, ended.signal])).then(() => {
    throw new PullError(
      `${source.name} has no ${source.record} record, or none with an address that is allowed. Check the name, and the name server of this machine; the operator can allow private addresses with PULL_PRIVATE_ADDRESSES.`,
    );
  });
  const found = placesOf(source, resolving).then(
    (places) => (places.length === 0 ? refused : places),
    () => refused,
  );
  const places = await Promise.race([found, refused]).finally(() => ended.abort());
  return [...new Set(places)].map((instance) => ({
    instance,
    service,
    tags,
    origin: `${source.scheme}://${instance}`,
  }));
}

async function placesOf({ name, record, port }: DnsSource, resolving: Resolving): Promise<string[]> {
  const { resolver, reach } = resolving;
  if (record === "SRV") {
    const entries = await resolver.resolveSrv(name);
    const allowed = await Promise.all(entries.map((entry) => isAllowedName(entry.name, resolving)));
    return entries
      .filter((_, at) => allowed[at])
      .map((entry) => hostPort(entry.name.replace(/\.$/, ""), entry.port));
  }
  const addresses = await (record === "A" ? resolver.resolve4(name) : resolver.resolve6(name));
  return addresses
    .filter((address) => reach.refusalOf(address) === undefined)
    .map((address) => hostPort(address, port ?? 0));
}

/** As the connection, which needs all addresses of a name to be allowed. */
async function isAllowedName(name: string, { resolver, reach }: Resolving): Promise<boolean> {
  const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const addresses = found.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
  return addresses.length > 0 && addresses.every((address) => reach.refusalOf(address) === undefined);
}
