import { defaultLimits, foldStacks, readProfile, sumStacks, writeProfile } from "@flamekeep/profile";
import { expect, it } from "vitest";
import { cpuProfileOf, heapProfileOf, productPath } from "./v8-profiles.ts";

function frame(functionName: string, lineNumber = -1) {
  return { functionName, scriptId: "1", url: "", lineNumber, columnNumber: 0 };
}

it("CPU samples become CPU time of stacks, without those of a thread that waits", () => {
  const nodes = [
    { id: 1, callFrame: frame("(root)"), children: [2, 4, 5] },
    { id: 2, callFrame: frame("handle", 9), hitCount: 2, children: [3] },
    { id: 3, callFrame: frame("", 19), hitCount: 3 },
    { id: 4, callFrame: frame("(idle)"), hitCount: 900 },
    { id: 5, callFrame: frame("(garbage collector)"), hitCount: 1 },
  ];
  const facts = { startedAtMs: 1000, durationMs: 10_000, periodUs: 10_000 };
  const read = readProfile(
    writeProfile(cpuProfileOf({ nodes, startTime: 0, endTime: 0 }, facts)),
    defaultLimits,
  );
  if (!read.ok) throw new Error(read.error.message);
  const { timeNs, durationNs, period, functions } = read.profile;
  expect({ timeNs, durationNs, period }).toEqual({
    timeNs: 1_000_000_000n,
    durationNs: 10_000_000_000n,
    period: 10_000_000n,
  });
  expect([...functions.startLine]).toEqual([10, 20, 0]);
  const stacks = sumStacks(read.profile);
  expect(stacks.sampleTypes.map(({ type, unit }) => `${type}/${unit}`)).toEqual([
    "samples/count",
    "cpu/nanoseconds",
  ]);
  expect(foldStacks(stacks, 1).split("\n").toSorted().join("\n").trim()).toBe(
    "(garbage collector) 10000000\nhandle 20000000\nhandle;(anonymous) 30000000",
  );
});

it("sampled allocations become memory in use of stacks", () => {
  const leaf = { callFrame: frame("allocate"), selfSize: 4096, id: 2, children: [] };
  const other = { callFrame: frame("read"), selfSize: 0, id: 3, children: [{ ...leaf, id: 4 }] };
  const root = { callFrame: frame("(root)"), selfSize: 0, id: 1, children: [leaf, other] };
  const profile = heapProfileOf(root, 1000);
  expect(profile.sampleTypes).toEqual([{ type: "inuse_space", unit: "bytes" }]);
  expect(foldStacks(sumStacks(profile), 0).split("\n").toSorted()).toEqual([
    "",
    "allocate 4096",
    "read;allocate 4096",
  ]);
});

it.each([
  ["file:///srv/flamekeep/packages/server/src/app.ts", "packages/server/src/app.ts"],
  ["file:///srv/flamekeep/node_modules/fastify/lib/route.js", "node_modules/fastify/lib/route.js"],
  ["file:///usr/lib/node_modules/npm/lib/npm.js", "node_modules/npm/lib/npm.js"],
  ["/home/ada/tool.js", "tool.js"],
  ["C:\\Users\\ada\\tool.js", "tool.js"],
  ["node:internal/timers", "node:internal/timers"],
  ["wasm://wasm/0a1b2c", "wasm://wasm/0a1b2c"],
  ["", ""],
])("the file %j is shown as %j", (url, path) => {
  expect(productPath(url, "file:///srv/flamekeep/")).toBe(path);
});
