import { expect, it } from "vitest";
import { mappedAddress, networkOf } from "./network.ts";

it.each([
  ["192.0.2.7", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["::FFFF:c000:207", "192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:DB8:0001:2::9", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["2001:db8:0:0:1::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
])("a sender at %s is counted as %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});

it.each([
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["0:0:0:0:0:FFFF:c000:0207", "192.0.2.7"],
  ["::ffff:0:192.0.2.7", undefined],
  ["2001:db8::1", undefined],
])("%s is mapped from %s", (address, ipv4) => {
  expect(mappedAddress(address)).toBe(ipv4);
});
