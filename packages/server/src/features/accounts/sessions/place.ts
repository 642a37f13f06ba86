import { BlockList, isIP } from "node:net";
import type { AccountSession } from "@flamekeep/contract";

const machine = new BlockList();
machine.addSubnet("127.0.0.0", 8, "ipv4");
machine.addAddress("::1", "ipv6");

/** RFC 1918, shared addresses of carriers (RFC 6598), link-local and unique local addresses. */
const local = new BlockList();
for (const [network, bits] of [
  ["10.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["100.64.0.0", 10],
  ["169.254.0.0", 16],
] as const) {
  local.addSubnet(network, bits, "ipv4");
}
local.addSubnet("fc00::", 7, "ipv6");
local.addSubnet("fe80::", 10, "ipv6");

/** Where an address is, as far as the address itself tells. Nothing is asked from other servers. */
export function placeOf(address: string | null): AccountSession["place"] {
  const version = isIP(address ?? "");
  if (address === null || version === 0) return "unknown";
  const family = version === 4 ? "ipv4" : "ipv6";
  if (machine.check(address, family)) return "this machine";
  return local.check(address, family) ? "local network" : "internet";
}
