import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { block, bytesOf, number } from "../testing/proto.ts";
import { processIdentity } from "./process-identity.ts";

interface Mapping {
  readonly start: number;
  readonly file: string;
}

function profileWith(...mappings: Mapping[]): Uint8Array {
  return bytesOf(
    ...mappings.map(({ start }, i) => block(3, number(1, i + 1), number(2, start), number(5, i + 1))),
    block(6, ""),
    ...mappings.map(({ file }) => block(6, file)),
  );
}

const vdso = { start: 0x7f0000002000, file: "[vdso]" };

it.each([
  ["the address of the vDSO", [{ start: 0x400000, file: "/app" }, vdso], "7f0000002000"],
  [
    "the address of a position-independent program",
    [{ start: 0x55d0c0de0000, file: "/app" }],
    "55d0c0de0000",
  ],
  ["nothing of a program at a fixed address", [{ start: 0x400000, file: "/app" }], ""],
  ["nothing of Windows", [{ start: 0x7ff612340000, file: "C:\\app.exe" }], ""],
  ["nothing where there are no mappings", [], ""],
])("is %s", (_, mappings, identity) => {
  expect(processIdentity(profileWith(...mappings))).toBe(identity);
});

it("is empty for bytes that are not a profile", () => {
  expect(processIdentity(Uint8Array.of(0x1a, 0xff))).toBe("");
  expect(processIdentity(bytesOf(block(3, number(5, 9))))).toBe("");
});

it("is the same for all snapshots of a recorded program, and differs between programs", () => {
  const recorded = new URL("../../../../examples/shop/recorded/", import.meta.url);
  const identities = ["checkout/before/", "checkout/after/", "search/before/"].map((folder) => {
    const snapshots = readdirSync(new URL(folder, recorded)).filter((name) =>
      /^(memory|goroutine)/.test(name),
    );
    expect(snapshots.length).toBe(16);
    const found = snapshots.map((name) =>
      processIdentity(gunzipSync(readFileSync(new URL(folder + name, recorded)))),
    );
    return [...new Set(found)];
  });
  expect(identities.map((found) => found.length)).toEqual([1, 1, 1]);
  expect(new Set(identities.flat()).size).toBe(3);
  expect(identities.flat()).not.toContain("");
});
