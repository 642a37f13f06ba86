import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { profileTypeOf } from "#describe/profile-type.ts";
import { defaultLimits, type ReadLimits } from "#model/limits.ts";
import { readProfile } from "#read/read-profile.ts";
import { foldStacks } from "#stacks/combine-stacks.ts";
import { sumStacks } from "#stacks/sum-stacks.ts";
import { cpuWords } from "../../testing/cpu-words.ts";

function read(bytes: Uint8Array | string, limits: ReadLimits = defaultLimits) {
  const result = readProfile(Buffer.from(bytes), limits);
  if (!result.ok) throw new Error(result.error.message);
  return result.profile;
}

const folded = (bytes: Uint8Array | string, type = 0) =>
  foldStacks(sumStacks(read(bytes)), type)
    .trim()
    .split("\n")
    .sort();
const types = (bytes: Uint8Array | string) =>
  read(bytes).sampleTypes.map(({ type, unit }) => `${type}/${unit}`);
const refusal = (bytes: Uint8Array | string, limits: Partial<ReadLimits> = {}) => {
  const result = readProfile(Buffer.from(bytes), { ...defaultLimits, ...limits });
  return result.ok ? undefined : result.error;
};

const maps = `MAPPED_LIBRARIES:
00001000-00002000 r-xp 00000000 08:01 1234       /srv/my shop
00002000-00003000 rw-p 00001000 08:01 1234       /srv/my shop
build=/opt/build
  7000-8000: $build/libc.so (@1000)
`;

describe("the CPU profile of gperftools", () => {
  // The second frames are those of a signal handler, or the leaf once more.
  const samples = [
    [3, 0x1010, 0x1fff, 0x1021, 0x7011],
    [2, 0x1010, 0x1fff, 0x1021, 0x6800],
    [1, 0x1030, 0x1fff],
  ];

  it.each([
    [4, true],
    [4, false],
    [8, true],
    [8, false],
  ] as const)("has words of %i bytes, little end first: %s", (size, isLittle) => {
    const bytes = Buffer.concat([cpuWords({ size, isLittle, samples }), Buffer.from(maps)]);
    expect(types(bytes)).toEqual(["samples/count", "cpu/nanoseconds"]);
    expect(folded(bytes)).toEqual([
      "libc.so!0x67ff;my shop!0x1020;my shop!0x1010 2",
      "libc.so!0x7010;my shop!0x1020;my shop!0x1010 3",
      "my shop!0x1030 1",
    ]);
    const profile = read(bytes);
    expect([profileTypeOf(profile), profile.period, profile.mappings.length]).toEqual([
      "cpu",
      10_000_000n,
      2,
    ]);
  });

  it("has functions if it is of Java, and no addresses to move", () => {
    const text =
      "0x10 shop.Cart.total (Cart.java:12)\n0x11 libjvm (/usr/lib/libjvm.so)\n0x12 GC\n0x13 generated stub/JIT\n0x99 unused (X.java:1)\n";
    const bytes = Buffer.concat([
      cpuWords({ size: 8, isLittle: true, isJava: true, samples: [[5, 0x10, 0x11, 0x12, 0x13, 0x14]] }),
      Buffer.from(text),
    ]);
    expect(folded(bytes)).toEqual(["0x14;STUB;GC;libjvm;shop.Cart.total 5"]);
    const { frames } = sumStacks(read(bytes));
    const at = frames.functionName.indexOf("shop.Cart.total");
    expect([frames.file[at], frames.line[at]]).toEqual(["Cart.java", 12]);
  });

  it("is refused where a stack is cut off, a value is beyond 64 bits, or a limit is", () => {
    const bytes = cpuWords({ size: 8, isLittle: true, samples });
    expect(refusal(bytes.subarray(0, 56))).toMatchObject({
      code: "malformed",
      message: expect.stringContaining("cut off"),
    });
    const huge = cpuWords({ size: 8, isLittle: true, samples: [[2 ** 52, 0x10]] });
    expect(refusal(huge)).toMatchObject({ code: "invalid", message: expect.stringContaining("64 bits") });
    expect(refusal(bytes, { samples: 1 })).toMatchObject({ code: "too_large", field: "samples" });
    expect(refusal(bytes, { frames: 5 })).toMatchObject({ code: "too_large", field: "frames" });
    expect(refusal(bytes, { locations: 2 })).toMatchObject({ code: "too_large", field: "locations" });
    expect(refusal(Buffer.concat([bytes, Buffer.from(maps)]), { mappings: 1 })).toMatchObject({
      field: "mappings",
    });
    expect(read(bytes, { ...defaultLimits, depth: 1 }).trimmed.depth).toBe(2);
  });

  it("of three million addresses needs memory for its samples, not for each address", async () => {
    const stack = [1, 63, ...Array.from({ length: 63 }, (_, at) => 0x1000 + at)];
    const words = new Uint32Array(5 + stack.length * 50_000);
    words.set([0, 3, 0, 10_000, 0]);
    for (let at = 5; at < words.length; at += stack.length) words.set(stack, at);
    const code = `const { workerData, parentPort } = require("node:worker_threads");
      import(workerData.reader).then(({ readLegacyCpu }) =>
        parentPort.postMessage(readLegacyCpu(workerData.bytes, workerData.limits)));`;
    const worker = new Worker(code, {
      eval: true,
      workerData: {
        reader: import.meta.resolve("./cpu-profile.ts"),
        bytes: new Uint8Array(words.buffer),
        limits: defaultLimits,
      },
      resourceLimits: { maxOldGenerationSizeMb: 64 },
    });
    const [pprof] = (await once(worker, "message")) as [Uint8Array];
    await worker.terminate();
    expect(read(pprof).samples.length).toBe(50_000);
  });
});

describe("legacy text profiles", () => {
  it.each([
    [
      "heapprofile",
      "heap profile: 3: 30 [ 3: 30] @ heapprofile\n",
      ["objects/count", "space/bytes"],
      "memory",
    ],
    [
      "all allocations",
      "heap profile: 3: 30 [ 9: 90] @ heap_v2/1\n",
      ["alloc_objects/count", "alloc_space/bytes", "inuse_objects/count", "inuse_space/bytes"],
      "memory",
    ],
    ["growth", "heap profile: 3: 30 [ 3: 30] @ growthz\n", ["objects/count", "space/bytes"], "memory"],
    [
      "fragmentation",
      "heap profile: 3: 30 [ 3: 30] @ fragmentationz\n",
      ["objects/count", "space/bytes"],
      "memory",
    ],
  ])("of the heap: %s", (_, header, names, type) => {
    const text = `${header}  2: 20 [ 8: 80] @ 0x1011 0x1021\n 1: 10 [1: 10] @ 0x1011\n${maps}`;
    expect(types(text)).toEqual(names);
    expect(folded(text, names.length - 1)).toEqual(["my shop!0x1010 10", "my shop!0x1020;my shop!0x1010 20"]);
    expect(profileTypeOf(read(text))).toBe(type);
    const { labels, strings } = read(text);
    expect([strings[labels.key[0]!], labels.number[0]]).toEqual(["bytes", 10n]);
  });

  it("scale sampled blocks to all, as Go's parser does", () => {
    const text = "heap profile: 1: 524288 [1: 524288] @ heap_v2/524288\n1: 524288 [1: 524288] @ 0x11\n";
    expect(folded(text, 1)).toEqual(["0x10 829411"]);
  });

  it("of lock contention: cycles become nanoseconds, and samples all events", () => {
    const text =
      "--- contentionz 1 ---\ncycles/second = 2000000000\nsampling period = 100\nms since reset = 5000\ndiscarded samples = 0\n  400 3 @ 0x11 0x21\n";
    expect(folded(text, 0)).toEqual(["0x20;0x10 300"]);
    expect(folded(text, 1)).toEqual(["0x20;0x10 20000"]);
    expect([profileTypeOf(read(text)), read(text).durationNs]).toEqual(["mutex", 5_000_000_000n]);
  });

  it("of Java, with functions behind the stacks", () => {
    const places = "\n\n 0x00000003 shop.A (A.java:7)\n 0x00000004 shop.B (B.java:9)\n";
    const heap = `--- heapz 1 ---\nformat = java\nresolution = bytes\n  7048 1 @ 0x00000003 0x00000004\n${places}`;
    expect(types(heap)).toEqual(["inuse_objects/count", "inuse_space/bytes"]);
    expect(folded(heap)).toEqual(["shop.B;shop.A 74"]);
    const locks = `--- contentionz 1 ---\nformat = java\nresolution = microseconds\nsampling period = 100\n  14 2 @ 0x3\n${places}`;
    expect(types(locks)).toEqual(["contentions/count", "delay/microseconds"]);
    expect(folded(locks, 1)).toEqual(["shop.A 1400"]);
  });

  it("of threads", () => {
    const text = `--- threadz 1 ---

--- Thread 7f79 (name: main/14748) stack: ---
  PC:  0x1011: helper(arg *)
  0x1011: helper
  0x1021: main
--- Thread 7f78 (name: t1/14751) stack: ---
  [same as previous thread]
--- Thread 7f77 (name: t2/14752) stack: ---
  PC:  0x1031: wait
      creator: 0x1041
${maps}`;
    expect(types(text)).toEqual(["thread/count"]);
    expect(folded(text)).toEqual(["my shop!0x1020;my shop!0x1011 2", "my shop!0x1040;my shop!0x1031 1"]);
  });

  it("of counts, as Go's first versions wrote them", () => {
    expect(folded("threadcreate profile: total 7\n5 @ 0x11 0x21\n2 @ 0x11\n")).toEqual([
      "0x10 2",
      "0x20;0x10 5",
    ]);
  });

  it("of jemalloc, whose stacks come before their values", () => {
    const text = `heap_v2/524288
  t*: 3: 30 [0: 0]
  t0: 3: 30 [0: 0]
@ 0x1011 0x1021
  t*: 1: 524288 [0: 0]
  t0: 1: 524288 [0: 0]
@ 0x1031
  t*: 2: 1048576 [0: 0]

${maps}`;
    expect(types(text)).toEqual(["objects/count", "space/bytes"]);
    expect(folded(text, 1)).toEqual(["my shop!0x1020;my shop!0x1010 829411", "my shop!0x1030 1658822"]);
    const all = text.replaceAll("[0: 0]", "[4: 2097152]");
    expect(types(all)).toEqual([
      "alloc_objects/count",
      "alloc_space/bytes",
      "inuse_objects/count",
      "inuse_space/bytes",
    ]);
    expect(profileTypeOf(read(text))).toBe("memory");
  });

  it("keep values beyond 2^53, and are refused beyond 64 bits", () => {
    const text = (value: string) => `heap profile: 1: 1 [1: 1] @ heapprofile\n1: ${value} [1: 1] @ 0x11\n`;
    expect(folded(text("9007199254740993"), 1)).toEqual(["0x10 9007199254740993"]);
    expect(refusal(text("9999999999999999999"))).toMatchObject({
      message: expect.stringContaining("64 bits"),
    });
    expect(
      refusal("--- contentionz 1 ---\nsampling period = 999999999999999999\n 400 3 @ 0x11\n"),
    ).toMatchObject({
      message: expect.stringContaining("64 bits"),
    });
  });

  it.each([
    ["a heap of an unknown kind", "heap profile: 1: 1 [1: 1] @ heapy/7\n", "no header"],
    [
      "a stack without values",
      "heap profile: 1: 1 [1: 1] @ heapprofile\nx @ 0x11\n",
      "no stack with its values",
    ],
    [
      "an address that is none",
      "heap profile: 1: 1 [1: 1] @ heapprofile\n1: 1 [1: 1] @ main\n",
      "no stack with its values",
    ],
    [
      "bytes of no object",
      "heap profile: 1: 1 [1: 1] @ heapprofile\n0: 1 [1: 1] @ 0x11\n",
      "no stack with its values",
    ],
    [
      "a line of a million addresses",
      `heap profile: 1: 1 [1: 1] @ heapprofile\n1: 1 [1: 1] @${" 0x1".repeat(2 ** 20)}\n`,
      "characters",
    ],
    ["heapz of a program that is not of Java", "--- heapz 1 ---\n1 1 @ 0x1\n", "no header"],
  ])("are refused with %s", (_, text, words) => {
    expect(refusal(text)).toMatchObject({ code: "invalid", message: expect.stringContaining(words) });
  });

  it("skip lines of mappings in any other form", () => {
    const text = `heap profile: 1: 1 [1: 1] @ heapprofile\n1: 1 [1: 1] @ 0x1011 0x11\n--- Memory map: ---\n${"x".repeat(50_000)}\n1000-2000 nonsense\n-\n=\n`;
    expect(folded(text)).toEqual(["0x10;nonsense!0x1010 1"]);
  });
});
