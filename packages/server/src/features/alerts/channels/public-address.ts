import { BlockList, isIPv4, isIPv6 } from "node:net";
import { mappedAddress } from "#net/network.ts";

/**
 * IPv4 addresses that are not for everybody, by IANA's IPv4 special-purpose registry: this machine, its networks,
 * documentation, multicast, and anycast services of a network. Also a host service of Azure, which has a public
 * address (https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16).
 */
const special4 = new BlockList();
for (const [network, bits] of [
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
] as const) {
  special4.addSubnet(network, bits, "ipv4");
}

/**
 * All of IPv6 that is given to networks of the internet. Outside of it are loopback, the forms that carry an IPv4
 * address (compatible, translated `::ffff:0:0:0/96`, NAT64 `64:ff9b::/96` and `64:ff9b:1::/48`), unique local,
 * link-local, the former site-local, SRv6 and multicast addresses.
 */
const unicast6 = new BlockList();
unicast6.addSubnet("2000::", 3, "ipv6");

/** Parts of 2000::/3 that are special: Teredo, benchmarks, ORCHID, 6to4, AS112, documentation. */
const special6 = new BlockList();
for (const [network, bits] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["2620:4f:8000::", 48],
  ["3fff::", 20],
] as const) {
  special6.addSubnet(network, bits, "ipv6");
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
