import { resolve4, resolve6, resolveSrv } from "node:dns/promises";
import type { TargetDefinition, TargetSource } from "@flamekeep/contract";
import { PullError } from "#pull/client.ts";
import { hostPort, type Instance } from "./instance.ts";

/** The part of node:dns that finds processes. */
export interface Resolver {
  resolve4(name: string): Promise<string[]>;
  resolve6(name: string): Promise<string[]>;
  resolveSrv(name: string): Promise<{ readonly name: string; readonly port: number }[]>;
}

export const systemResolver: Resolver = { resolve4, resolve6, resolveSrv };

type DnsSource = Extract<TargetSource, { kind: "dns" }>;

/** A process for each address, or for each entry of an SRV record. */
export async function findByDns(
  { service, tags }: Pick<TargetDefinition, "service" | "tags">,
  source: DnsSource,
  resolver: Resolver,
): Promise<Instance[]> {
  const found = await placesOf(source, resolver).catch((error: NodeJS.ErrnoException) => {
    throw new PullError(
      `The DNS has no ${source.record} record of ${source.name} (${error.code ?? error.message}). Check the name, and the name server of this machine.`,
      { cause: error },
    );
  });
  return [...new Set(found)].map((instance) => ({
    instance,
    service,
    tags,
    origin: `${source.scheme}://${instance}`,
  }));
}

async function placesOf({ name, record, port }: DnsSource, resolver: Resolver): Promise<string[]> {
  if (record === "SRV") {
    const entries = await resolver.resolveSrv(name);
    return entries.map((entry) => hostPort(entry.name.replace(/\.$/, ""), entry.port));
  }
  const addresses = await (record === "A" ? resolver.resolve4(name) : resolver.resolve6(name));
  return addresses.map((address) => hostPort(address, port ?? 0));
}
