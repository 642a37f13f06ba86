import type { LookupAddress, lookup as systemLookup } from "node:dns";
import { BlockList, isIPv4, isIPv6, type LookupFunction } from "node:net";
import { mappedAddress } from "./network.ts";

/**
 * IPv4 addresses that are not for everybody, by IANA's IPv4 special-purpose registry: this machine, its networks,
 * documentation, multicast, and anycast services of a network. Also a host service of Azure, which has a public
 * address (https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16).
 */
const special4 = listOfNetworks("ipv4", [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["168.63.129.16", 32],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.31.196.0", 24],
  ["192.52.193.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["192.175.48.0", 24],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
]);

/** The parts of it in which services of an organization run: private networks, shared address space, and this machine. */
const private4 = listOfNetworks("ipv4", [
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
]);

/** Metadata of cloud machines inside of them: Alibaba Cloud. The others are link-local, or not private. */
const metadata4 = listOfNetworks("ipv4", [["100.100.100.200", 32]]);

/**
 * All of IPv6 that is given to networks of the internet. Outside of it are loopback, the forms that carry an IPv4
 * address (compatible, translated `::ffff:0:0:0/96`, NAT64 `64:ff9b::/96` and `64:ff9b:1::/48`), unique local,
 * link-local, the former site-local, SRv6 and multicast addresses.
 */
const unicast6 = listOfNetworks("ipv6", [["2000::", 3]]);

/** Parts of 2000::/3 that are special: Teredo, benchmarks, ORCHID, 6to4, AS112, documentation. */
const special6 = listOfNetworks("ipv6", [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["2620:4f:8000::", 48],
  ["3fff::", 20],
]);

const private6 = listOfNetworks("ipv6", [
  ["::1", 128],
  ["fc00::", 7],
]);

/** Metadata of cloud machines inside of it: Amazon EC2 and Google Compute Engine. */
const metadata6 = listOfNetworks("ipv6", [
  ["fd00:ec2::", 32],
  ["fd20:ce::254", 128],
]);

function listOfNetworks(
  family: "ipv4" | "ipv6",
  networks: readonly (readonly [string, number])[],
): BlockList {
  const list = new BlockList();
  for (const [network, bits] of networks) list.addSubnet(network, bits, family);
  return list;
}

/** Whether anybody on the internet reaches this address. An IPv4 address written as IPv6 (`::ffff:a.b.c.d`) is the IPv4 address. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !special4.check(address, "ipv4");
  // A zone, as in fe80::1%eth0, exists for addresses of a link only.
  if (!isIPv6(address) || address.includes("%")) return false;
  const mapped = mappedAddress(address);
  if (mapped !== undefined) return isPublicAddress(mapped);
  return unicast6.check(address, "ipv6") && !special6.check(address, "ipv6");
}

/** Whether the address is in a private network or of this machine. Link-local, metadata and other special addresses are not. */
export function isPrivateAddress(address: string): boolean {
  if (isIPv4(address)) return private4.check(address, "ipv4") && !metadata4.check(address, "ipv4");
  if (!isIPv6(address) || address.includes("%")) return false;
  const mapped = mappedAddress(address);
  if (mapped !== undefined) return isPrivateAddress(mapped);
  return private6.check(address, "ipv6") && !metadata6.check(address, "ipv6");
}

export interface LookupRule {
  readonly isAllowed: (address: string) => boolean;
  /** The same sentence for a name that does not exist, and for one with an address that is not allowed. */
  readonly refusal: (name: string) => string;
}

export const lookupMs = 3_000;

/**
 * A look-up for a connection, so that the checked address is the one that is connected to: a name cannot point elsewhere a moment
 * later. Refuses a name if one of its addresses is not allowed. The refusal comes always after `lookupMs`, with the same sentence:
 * a difference would tell which names exist in the network.
 */
export function checkedLookup(
  resolve: typeof systemLookup,
  { isAllowed, refusal }: LookupRule,
): LookupFunction {
  return (hostname, options, callback) => {
    let isSettled = false;
    const refused = setTimeout(() => {
      isSettled = true;
      callback(new Error(refusal(hostname)), "", 0);
    }, lookupMs);
    resolve(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      const [first] = addresses ?? [];
      const isUsable = error === null && addresses.every(({ address }) => isAllowed(address));
      if (isSettled || !isUsable || first === undefined) return;
      clearTimeout(refused);
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}
