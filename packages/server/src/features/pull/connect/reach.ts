import { lookup as systemLookup } from "node:dns";
import { isIP, isIPv4, type LookupFunction } from "node:net";
import type { Config } from "#config";
import { checkedLookup, isPrivateAddress, isPublicAddress } from "#net/addresses.ts";
import { mappedAddress } from "#net/network.ts";

/** Which addresses the server may connect to for its organizations. */
export interface Reach {
  /** For the connection: refuses names with an address that is not allowed. */
  readonly lookup: LookupFunction | undefined;
  /** Why an address is refused; undefined for names and for allowed addresses. */
  refusalOf(host: string): string | undefined;
}

const allowing = "the operator can allow private addresses with PULL_PRIVATE_ADDRESSES";
const never = "is a link-local, metadata or other special address, which is never pulled";

/** @param resolve replaces the system's look-up in tests */
export function openReach({ privateNetworks }: Config["pull"], resolve = systemLookup): Reach {
  const isAllowedPrivate = (address: string) => {
    if (!isPrivateAddress(address)) return false;
    const plain = mappedAddressOf(address);
    return privateNetworks === "all" || privateNetworks.check(plain, isIPv4(plain) ? "ipv4" : "ipv6");
  };
  const isAllowed = (address: string) => isPublicAddress(address) || isAllowedPrivate(address);
  return {
    lookup: checkedLookup(resolve, {
      isAllowed,
      refusal: (name) => `${name} does not exist, or has an address that is not allowed: ${allowing}.`,
    }),
    refusalOf(host) {
      const address = host.replace(/^\[|\]$/g, "");
      if (isIP(address) === 0 || isAllowed(address)) return undefined;
      return isPrivateAddress(address)
        ? `${address} is in a private network: ${allowing}.`
        : `${address} ${never}.`;
    },
  };
}

function mappedAddressOf(address: string): string {
  return isIPv4(address) ? address : (mappedAddress(address) ?? address);
}
