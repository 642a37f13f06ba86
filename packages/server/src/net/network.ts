import { isIPv6, SocketAddress } from "node:net";

/**
 * The network that limits count as one sender: an IPv4 address, or the first 64 bits of an IPv6 address, because one
 * customer gets a whole /64 (RFC 6177). An IPv4 address that is written as IPv6 counts as the IPv4 address.
 */
export function networkOf(address: string): string {
  const plain = address.replace(/%.*$/, "");
  if (!isIPv6(plain)) return plain;
  const mapped = mappedAddress(plain);
  if (mapped !== undefined) return mapped;
  return `${groupsOf(canonicalAddress(plain)).slice(0, 4).join(":")}::/64`;
}

/** The IPv4 address of an IPv4-mapped IPv6 address (`::ffff:a.b.c.d`, in any notation); undefined for all others. */
export function mappedAddress(address: string): string | undefined {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(canonicalAddress(address))?.[1];
}

function canonicalAddress(address: string): string {
  return new SocketAddress({ address, family: "ipv6" }).address;
}

function groupsOf(address: string): string[] {
  const [head = "", tail] = address.split("::");
  const before = head === "" ? [] : head.split(":");
  if (tail === undefined) return before;
  const after = tail === "" ? [] : tail.split(":");
  // An embedded IPv4 address replaces two groups, but only at the end, which is not used here.
  const missing = Math.max(0, 8 - before.length - after.length);
  return [...before, ...Array.from({ length: missing }, () => "0"), ...after];
}
