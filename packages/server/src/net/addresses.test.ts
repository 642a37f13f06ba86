import { expect, it } from "vitest";
import { isPrivateAddress, isPublicAddress } from "./addresses.ts";

it.each([
  "93.184.215.14",
  "168.63.129.15",
  "192.0.1.1",
  "2606:2800:21f:cb07:6820:80da:af6b:8b2c",
  "2a00:1450:4001::1",
  "::ffff:93.184.215.14",
])("%s is public", (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

it.each([
  "",
  "x",
  "0.0.0.0",
  "10.0.0.1",
  "100.64.0.1",
  "100.100.100.200",
  "127.0.0.1",
  "168.63.129.16",
  "169.254.169.254",
  "172.20.0.1",
  "192.0.0.192",
  "192.0.2.1",
  "192.31.196.1",
  "192.52.193.1",
  "192.88.99.1",
  "192.168.1.1",
  "192.175.48.1",
  "198.19.255.255",
  "198.51.100.1",
  "203.0.113.1",
  "224.0.0.1",
  "240.0.0.1",
  "255.255.255.255",
])("%s is not public", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

it.each([
  ["unspecified", "::"],
  ["loopback", "::1"],
  ["compatible with IPv4", "::7f00:1"],
  ["mapped from a private IPv4 address", "::ffff:10.0.0.1"],
  ["mapped from loopback, in hexadecimal", "::FFFF:7f00:1"],
  ["translated from IPv4", "::ffff:0:127.0.0.1"],
  ["translated from IPv4, in hexadecimal", "::ffff:0:7f00:1"],
  ["translated from a cloud's metadata service", "::ffff:0:a9fe:a9fe"],
  ["translated from a public IPv4 address", "::ffff:0:93.184.215.14"],
  ["NAT64", "64:ff9b::7f00:1"],
  ["NAT64 of a network", "64:ff9b:1::7f00:1"],
  ["discard only", "100::1"],
  ["dummy", "100:0:0:1::1"],
  ["Teredo", "2001:0:7f00:1::"],
  ["benchmarking", "2001:2::1"],
  ["ORCHIDv2", "2001:20::1"],
  ["documentation", "2001:db8::1"],
  ["6to4", "2002:a9fe:a9fe::"],
  ["AS112", "2620:4f:8000::1"],
  ["newer documentation", "3fff::1"],
  ["not given to anybody", "4000::1"],
  ["SRv6", "5f00::1"],
  ["unique local", "fd00:ec2::254"],
  ["link-local", "fe80::1"],
  ["link-local with a zone", "fe80::1%eth0"],
  ["a public one with a zone", "2606:2800::1%eth0"],
  ["formerly site-local", "fec0::1"],
  ["multicast", "ff02::1"],
])("%s is not public", (_, address) => {
  expect(isPublicAddress(address)).toBe(false);
});

it.each([
  ["10.1.2.3", true],
  ["172.31.255.255", true],
  ["192.168.0.1", true],
  ["100.64.0.1", true],
  ["127.0.0.1", true],
  ["::ffff:10.1.2.3", true],
  ["::1", true],
  ["fd12:3456::1", true],
  ["93.184.215.14", false],
  ["169.254.169.254", false],
  ["::ffff:169.254.169.254", false],
  ["100.100.100.200", false],
  ["168.63.129.16", false],
  ["0.0.0.0", false],
  ["224.0.0.1", false],
  ["255.255.255.255", false],
  ["fe80::1", false],
  ["fe80::1%eth0", false],
  ["fd00:ec2::254", false],
  ["fd20:ce::254", false],
  ["64:ff9b::a9fe:a9fe", false],
  ["2002:a9fe:a9fe::1", false],
  ["::a9fe:a9fe", false],
  ["localhost", false],
])("%s is in a private network: %s", (address, expected) => {
  expect(isPrivateAddress(address)).toBe(expected);
});
