import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { profileTypeOf } from "#describe/profile-type.ts";
import { defaultLimits, type ReadLimits } from "#model/limits.ts";
import { readProfile } from "#read/read-profile.ts";
import { foldStacks } from "#stacks/combine-stacks.ts";
import { sumStacks } from "#stacks/sum-stacks.ts";
import { totalOf } from "#stacks/total-of.ts";
import { readLabelledStacks } from "../../read-stacks.ts";

const folder = new URL("../../fixtures/json/", import.meta.url);
const recorded = (name: string) => gunzipSync(readFileSync(new URL(`${name}.gz`, folder)));
const bytesOf = (json: unknown) => Buffer.from(typeof json === "string" ? json : JSON.stringify(json));

function read(json: unknown, limits: ReadLimits = defaultLimits) {
  const result = readProfile(json instanceof Uint8Array ? json : bytesOf(json), limits);
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`);
  return result.profile;
}

function refusalOf(json: unknown, limits: ReadLimits = defaultLimits) {
  const result = readProfile(bytesOf(json), limits);
  if (result.ok) throw new Error("it was read");
  return result.error;
}

/** The stacks with the values of the last sample type. */
function folded(json: unknown, column = -1): string[] {
  const stacks = sumStacks(read(json));
  return foldStacks(stacks, column < 0 ? stacks.sampleTypes.length - 1 : column)
    .trim()
    .split("\n")
    .sort();
}

function totals(json: unknown): Record<string, number> {
  const stacks = sumStacks(read(json));
  return Object.fromEntries(
    stacks.sampleTypes.map(({ type, unit }, at) => [`${type}/${unit}`, Number(totalOf(stacks.values[at]!))]),
  );
}

/** `key=value` of each label. */
function labelled(json: unknown): string[] {
  const result = readLabelledStacks(bytesOf(json));
  if (!result.ok) throw new Error(result.error.message);
  const { labels } = result.profile;
  if (labels === "unreadable") throw new Error("its labels cannot be read");
  return (labels?.labels ?? []).map(({ key, value }) => `${key}=${value}`).sort();
}

const call = (functionName: string, lineNumber = -1, url = "") => ({
  functionName,
  scriptId: "1",
  url,
  lineNumber,
  columnNumber: 0,
});
const app = "file:///srv/app/cart.js";
const nodes = [
  { id: 1, callFrame: call("(root)"), children: [2, 3, 4, 6] },
  { id: 2, callFrame: call("(idle)"), hitCount: 1 },
  { id: 3, callFrame: call("(program)"), hitCount: 1 },
  { id: 4, callFrame: call("main", 0, app), children: [5] },
  {
    id: 5,
    callFrame: call("", 9, app),
    hitCount: 3,
    positionTicks: [
      { line: 11, ticks: 2 },
      { line: 12, ticks: 1 },
    ],
  },
  { id: 6, callFrame: call("(garbage collector)"), hitCount: 1 },
];
const cpuprofile = {
  nodes,
  startTime: 1_000_000,
  endTime: 1_010_000,
  samples: [3, 5, 5, 2, 5, 6],
  timeDeltas: [100, 200, 300, 5000, 400, 50],
};

describe(".cpuprofile", () => {
  it("has the samples and the time of each function, without the time in which the thread waits", () => {
    expect(folded(cpuprofile)).toEqual([
      "(garbage collector) 50000",
      "(program) 100000",
      "main;(anonymous) 900000",
    ]);
    expect(totals(cpuprofile)).toEqual({ "samples/count": 5, "cpu/nanoseconds": 1_050_000 });
    const profile = read(cpuprofile);
    expect([profileTypeOf(profile), profile.durationNs, profile.timeNs]).toEqual(["cpu", 10_000_000n, 0n]);
  });

  it("has the lines that ran, and those on which functions begin", () => {
    const { frames, values, start, frame } = sumStacks(read(cpuprofile));
    const leaves = Array.from(values[1]!, Number).map((value, stack) => [
      frames.file[frame[start[stack]!]!],
      frames.startLine[frame[start[stack]!]!],
      frames.line[frame[start[stack]!]!],
      value,
    ]);
    expect(leaves).toEqual(
      expect.arrayContaining([
        [app, 10, 11, 500_000],
        [app, 10, 12, 400_000],
      ]),
    );
  });

  it("is read with parents in place of children, in any order of properties and with spaces", () => {
    const withParents = nodes.map(({ children: _, ...node }) => ({ ...node, parent: node.id === 5 ? 4 : 1 }));
    const { samples, timeDeltas } = cpuprofile;
    const text = JSON.stringify({ samples, timeDeltas, x: {}, nodes: withParents.reverse() }, undefined, 2);
    expect(folded(`\ufeff\n${text}`)).toEqual(folded(cpuprofile));
  });

  it("puts samples in the order of their times", () => {
    const swapped = { ...cpuprofile, samples: [4, 5, 4], timeDeltas: [100, 300, -200] };
    expect(folded(swapped)).toEqual(["main 200000", "main;(anonymous) 200000"]);
  });

  it("without times shares the duration among its hits", () => {
    const { nodes, startTime, endTime } = cpuprofile;
    expect(totals({ nodes: nodes.slice(2), startTime, endTime })).toEqual({
      "samples/count": 5,
      "cpu/nanoseconds": 10_000_000,
    });
  });

  it("without times and hits has no samples", () => {
    const idle = nodes.map(({ hitCount: _, ...node }) => node);
    expect(read({ nodes: idle, startTime: 0, endTime: 9 }).samples.length).toBe(0);
    expect(read({ nodes: idle }).samples.length).toBe(0);
  });

  it("of Node.js 10 and earlier is a tree with the times of its samples", () => {
    const node = (id: number, functionName: string, children: unknown[] = []) => ({
      functionName,
      url: app,
      lineNumber: 1,
      id,
      hitCount: 1,
      children,
    });
    const head = { ...node(1, "(root)", [node(2, "main", [node(3, "encode")])]), url: "", lineNumber: -1 };
    const old = {
      head,
      startTime: 5,
      endTime: 6,
      samples: [2, 3, 3],
      timestamps: [5_000_000, 5_000_200, 5_000_300],
    };
    expect(folded(old)).toEqual(["main;encode 300000"]);
    expect(totals(old)["samples/count"]).toBe(3);
  });

  it("as Node.js wrote it has all of its time", () => {
    const json = JSON.parse(recorded("work.cpuprofile").toString()) as typeof cpuprofile;
    const idle = new Set(
      json.nodes.filter(({ callFrame }) => callFrame.functionName === "(idle)").map(({ id }) => id),
    );
    const sum = json.timeDeltas.reduce(
      (all, delta, at) => all + (idle.has(json.samples[at]!) ? 0 : delta),
      0,
    );
    expect(json.samples.length).toBeGreaterThan(50);
    expect(totals(json)["cpu/nanoseconds"]).toBe(sum * 1000);
    expect(folded(json).some((line) => /;checkout;fibonacci;fibonacci;/.test(line))).toBe(true);
  });
});

describe(".heapprofile", () => {
  const heap = {
    head: {
      callFrame: call("(root)"),
      selfSize: 8,
      children: [
        {
          callFrame: call("main", 0, app),
          selfSize: 0,
          id: 2,
          children: [{ callFrame: call("keep", 4, app), selfSize: 1000, id: 3, children: [] }],
        },
        { callFrame: call("main", 0, app), selfSize: 24, id: 4, children: [] },
      ],
    },
  };

  it("is memory in use", () => {
    expect(folded(heap)).toEqual(["(root) 8", "main 24", "main;keep 1000"]);
    const profile = read(heap);
    expect([profileTypeOf(profile), profile.sampleTypes]).toEqual([
      "memory",
      [{ type: "inuse_space", unit: "bytes" }],
    ]);
  });

  it("without sizes has those of its samples", () => {
    const text = JSON.stringify({
      ...heap,
      samples: [
        { size: 30, nodeId: 3, ordinal: 1 },
        { size: 12, nodeId: 3, ordinal: 2 },
      ],
    }).replaceAll(/"selfSize":\d+,/g, "");
    expect(folded(text)).toEqual(["main;keep 42"]);
  });

  it("as Node.js wrote it has all of its bytes", () => {
    const bytes = recorded("work.heapprofile");
    const sizes = [...bytes.toString().matchAll(/"selfSize":(\d+)/g)].map(([, size]) => Number(size));
    expect(sizes.length).toBeGreaterThan(20);
    expect(totals(bytes)).toEqual({ "inuse_space/bytes": sizes.reduce((sum, size) => sum + size, 0) });
    expect(folded(bytes).some((line) => /;keep \d{6,}$/.test(line))).toBe(true);
  });
});

describe("speedscope", () => {
  const shared = { frames: [{ name: "main", file: "main.py", line: 3 }, { name: "encode" }, { name: "gc" }] };
  const sampled = (unit: string, more = {}) => ({
    type: "sampled",
    name: "MainThread",
    unit,
    startValue: 0,
    endValue: 6,
    samples: [[0, 1], [0, 1], [0, 2], []],
    weights: [0.01, 0.02, 0.25, 9],
    ...more,
  });
  const evented = {
    type: "evented",
    name: "Thread (12)",
    unit: "milliseconds",
    startValue: 1.5,
    endValue: 10,
    events: [
      { type: "O", frame: 0, at: 1.5 },
      { type: "O", frame: 1, at: 2.123456 },
      { type: "C", frame: 1, at: 4 },
      { type: "O", frame: 1, at: 4 },
      { type: "C", frame: 1, at: 5 },
    ],
  };

  it.each([
    ["nanoseconds", [10, 20, 250], "cpu/nanoseconds", 280],
    ["microseconds", [0.01, 0.02, 0.25], "cpu/nanoseconds", 280],
    ["milliseconds", [0.01, 0.02, 0.25], "cpu/nanoseconds", 280_000],
    ["seconds", [0.01, 0.02, 0.25], "cpu/nanoseconds", 280_000_000],
    ["bytes", [1, 2, 25], "alloc_space/bytes", 28],
    ["none", [1, 2, 25], "samples/count", 28],
  ])("with samples in %s", (unit, weights, type, total) => {
    const json = { shared, profiles: [sampled(unit, { weights: [...weights, 9] })] };
    // A sample has a weight of time, which its count does not show.
    const count = type === "cpu/nanoseconds" ? { "samples/count": 3 } : {};
    expect(totals(json)).toEqual({ ...count, [type]: total });
    expect(folded(json).map((line) => line.replace(/ \d+$/, ""))).toEqual(["main;encode", "main;gc"]);
    expect(profileTypeOf(read(json))).toBe({ bytes: "memory", none: "custom" }[unit] ?? "cpu");
  });

  it("rounds the sum, and not each weight", () => {
    const weights = [0.4, 0.4, 0.4, 0];
    expect(totals({ shared, profiles: [sampled("none", { weights })] })).toEqual({ "samples/count": 1 });
  });

  it("with events has the time of the innermost frame, which is wall time", () => {
    const json = { profiles: [evented], shared };
    expect(folded(json)).toEqual(["main 5623456", "main;encode 2876544"]);
    expect(totals(json)).toEqual({ "wall/nanoseconds": 8_500_000 });
    expect(profileTypeOf(read(json))).toBe("custom");
    const { frames } = sumStacks(read(json));
    const main = frames.functionName.indexOf("main");
    expect([frames.file[main], frames.line[main]]).toEqual(["main.py", 3]);
  });

  it("of several threads has each as a label, and a sample type for each unit", () => {
    const json = { shared, profiles: [evented, sampled("seconds"), sampled("seconds", { name: "Worker" })] };
    expect(totals(json)).toEqual({
      "wall/nanoseconds": 8_500_000,
      "cpu/nanoseconds": 560_000_000,
      "samples/count": 6,
    });
    expect(labelled(json)).toEqual(["thread=MainThread", "thread=Thread (12)", "thread=Worker"]);
  });

  it("that Flamekeep exported has the sample types of the profile", () => {
    const names = ["alloc_objects", "inuse_space"];
    const profiles = names.map((name, at) =>
      sampled(at === 0 ? "none" : "bytes", { name, weights: [1, 2, 3, 0] }),
    );
    const json = { exporter: "flamekeep", shared, profiles };
    expect(totals(json)).toEqual({ "alloc_objects/count": 6, "inuse_space/bytes": 6 });
    expect(labelled(json)).toEqual([]);
  });

  it.each([
    ["negative weights", { weights: [1, -1, 1, 1] }, "weights has a negative number"],
    ["fewer weights", { weights: [1] }, "4 samples and 1 weights"],
    ["no weights", { weights: undefined }, "weights is no list"],
    ["a frame that does not exist", { samples: [[0], [7], [0], [0]] }, "samples names an entry"],
    ["a fraction as a frame", { samples: [[0], [0.5], [0], [0]] }, "samples names an entry"],
    ["__proto__ as a frame", { samples: [[0], ["__proto__"], [0], [0]] }, "samples names an entry"],
    [
      "events out of order",
      {
        ...evented,
        events: [
          { type: "O", frame: 0, at: 9 },
          { type: "C", frame: 0, at: 2 },
        ],
      },
      "order",
    ],
    [
      "an event that closes another frame",
      { ...evented, events: [{ type: "C", frame: 0, at: 2 }] },
      "innermost",
    ],
    ["an event of another kind", { ...evented, events: [{ type: "X", frame: 0, at: 2 }] }, "neither opens"],
    ["a time that is no number", { ...evented, events: [{ type: "O", frame: 0, at: null }] }, "no number"],
  ])("is refused with %s", (_, more, words) => {
    const error = refusalOf({ shared, profiles: [sampled("seconds", more)] });
    expect(error).toMatchObject({ code: "invalid", message: expect.stringContaining(words) });
  });

  it("is refused with values beyond 64 bits", () => {
    const huge = { shared, profiles: [sampled("seconds", { weights: [1e10, 1e10, 0, 0] })] };
    expect(refusalOf(huge)).toMatchObject({ code: "invalid", message: expect.stringContaining("64 bits") });
    const endless = JSON.stringify(huge).replace("10000000000", "1e999");
    expect(refusalOf(endless)).toMatchObject({
      code: "invalid",
      message: expect.stringContaining("no number"),
    });
  });
});

describe("traces of Chrome", () => {
  const event = (name: string, pid: number, tid: number, data: unknown, id = "0x1") => ({
    name,
    ph: "P",
    cat: "disabled-by-default-v8.cpu_profiler",
    pid,
    tid,
    id,
    ts: 1,
    args: { data },
  });
  const chunk = (ids: number[], deltas: number[], made: unknown[] = []) => ({
    cpuProfile: { nodes: made, samples: ids },
    timeDeltas: deltas,
    lines: ids.map((id) => (id === 4 ? 7 : 0)),
  });
  const root = [
    { id: 1, callFrame: call("(root)") },
    { id: 2, parent: 1, callFrame: call("(idle)") },
    { id: 4, parent: 1, callFrame: call("draw", 4, app) },
  ];
  const events = [
    { name: "thread_name", ph: "M", pid: 7, tid: 1, args: { name: "CrRendererMain" } },
    { name: "process_name", ph: "M", pid: 7, tid: 1, args: { name: "Renderer" } },
    event("Profile", 7, 1, { startTime: 5 }),
    event("ProfileChunk", 7, 3, chunk([2, 4], [100, 200], root)),
    event(
      "ProfileChunk",
      7,
      3,
      chunk([5, 4], [300, 400], [{ id: 5, parent: 4, callFrame: call("fill", 8, app) }]),
    ),
    event("Profile", 8, 2, { startTime: 5 }),
    event("ProfileChunk", 8, 3, chunk([4, 9], [50, 60], root)),
    { name: "v8.callFunction", ph: "X", pid: 7, tid: 1, ts: 1, dur: 900 },
  ];
  const whole = {
    draw: "draw 650000",
    fill: "draw;fill 300000",
    lost: "[unknown] 60000",
  };

  it.each([
    ["an object", { traceEvents: events }],
    ["an object with its metadata first", { metadata: { a: "b".repeat(2000) }, traceEvents: events }],
    ["a list", events],
    ["a list that is left open", `${JSON.stringify(events).slice(0, -1)},\n`],
  ])("as %s have the profiles of all threads", (_, json) => {
    expect(folded(json)).toEqual([whole.lost, whole.draw, whole.fill].sort());
    expect(totals(json)).toEqual({ "samples/count": 5, "cpu/nanoseconds": 1_010_000 });
    expect(labelled(json)).toEqual([
      "process=Renderer 7",
      "process=process 8",
      "thread=2",
      "thread=CrRendererMain",
    ]);
  });

  it("have the lines that ran", () => {
    const { frames } = sumStacks(read(events));
    const lines = frames.functionName.flatMap((name, at) => (name === "draw" ? [frames.line[at]] : []));
    expect(lines.sort()).toEqual([5, 7]);
  });

  it("of Chrome 66 and earlier have whole profiles", () => {
    const { nodes, samples, timeDeltas } = cpuprofile;
    expect(folded([event("CpuProfile", 1, 2, { cpuProfile: { nodes, samples, timeDeltas } })])).toEqual(
      folded(cpuprofile),
    );
  });

  it("of an endless time without work are read without a duration", () => {
    const endless = [
      event("Profile", 7, 1, {}),
      event("ProfileChunk", 7, 3, chunk([2, 4], [1e308, 5], root)),
    ];
    expect([read(endless).durationNs, folded(endless)]).toEqual([1n, ["draw 5000"]]);
  });

  it("without a profile are refused as what they are", () => {
    const error = refusalOf({ traceEvents: events.slice(-1) });
    expect(error).toMatchObject({
      code: "not_pprof",
      message: expect.stringContaining("disabled-by-default-v8.cpu_profiler"),
    });
  });

  it("as Chromium wrote one have all of its time", () => {
    const bytes = recorded("page.trace.json");
    const { traceEvents } = JSON.parse(bytes.toString()) as { traceEvents: ReturnType<typeof event>[] };
    const chunks = traceEvents.filter(({ name }) => name === "ProfileChunk");
    let [time, idle] = [0, 0];
    for (const { args, pid, id } of chunks) {
      const { cpuProfile, timeDeltas = [] } = args.data as ReturnType<typeof chunk>;
      const idleId = chunks
        .filter((other) => other.pid === pid && other.id === id)
        .flatMap((other) => (other.args.data as ReturnType<typeof chunk>).cpuProfile?.nodes ?? [])
        .find((node) => (node as (typeof root)[number]).callFrame.functionName === "(idle)") as
        | { id: number }
        | undefined;
      for (const [at, delta] of timeDeltas.entries()) {
        if (cpuProfile.samples[at] === idleId?.id) idle += delta;
        else time += delta;
      }
    }
    expect(chunks.length).toBeGreaterThan(50);
    expect(idle).toBeGreaterThan(0);
    // Samples that V8 wrote in the wrong order are put in order, which moves time from one function to another.
    expect(Math.abs(totals(bytes)["cpu/nanoseconds"]! / (time * 1000) - 1)).toBeLessThan(0.01);
    expect(folded(bytes).some((line) => /;draw;fibonacci;/.test(line))).toBe(true);
    expect(folded(bytes).some((line) => /compress;fibonacci/.test(line))).toBe(true);
  });
});

describe("Firefox profiles", () => {
  const strings = ["main", "0x1f", "fetchAll", "libxul.so", "https://a.example/cart.js"];
  const tables = {
    stackTable: { length: 3, prefix: [null, 0, 1], frame: [0, 1, 2] },
    frameTable: { length: 3, func: [0, 1, 2], line: [null, null, 31], address: [-1, 31, -1] },
    funcTable: {
      length: 3,
      name: [0, 1, 2],
      resource: [-1, 0, -1],
      fileName: [null, null, 4],
      lineNumber: [null, null, 30],
    },
    resourceTable: { length: 1, lib: [0], name: [3] },
  };
  const meta = {
    interval: 2,
    startTime: 1_795_197_995_000,
    processType: 0,
    stackwalk: 1,
    preprocessedProfileVersion: 50,
    sampleUnits: { time: "ms", eventDelay: "ms", threadCPUDelta: "µs" },
  };
  const samples = { length: 4, stack: [1, 2, null, 2], time: [1, 3, 5, 7] };
  const thread = (name: string, more: object = {}) => ({ name, pid: "12", tid: 1, samples, ...more });
  const processed = (threads: unknown[], more: object = {}) => ({
    meta,
    libs: [{ name: "libxul.so" }],
    threads,
    ...more,
  });
  const stacks = ["main;libxul.so!0x1f", "main;libxul.so!0x1f;fetchAll"];

  it("in the processed form have the time between samples, which is wall time", () => {
    const json = processed([thread("GeckoMain", { ...tables, stringArray: strings })]);
    expect(folded(json)).toEqual([`${stacks[0]} 2000000`, `${stacks[1]} 4000000`]);
    expect(totals(json)).toEqual({ "samples/count": 3, "wall/nanoseconds": 6_000_000 });
    const profile = read(json);
    expect([profileTypeOf(profile), profile.durationNs]).toEqual(["custom", 6_000_000n]);
    expect(Number(profile.timeNs / 1_000_000n)).toBe(1_795_197_995_001);
    const { frames } = sumStacks(profile);
    const at = frames.functionName.indexOf("fetchAll");
    expect([frames.file[at], frames.line[at], frames.startLine[at]]).toEqual([strings[4], 31, 30]);
  });

  it("have the CPU time of threads where they measured it", () => {
    const measured = { ...samples, threadCPUDelta: [900, 100, 50, null] };
    const json = processed([thread("GeckoMain", { ...tables, stringArray: strings, samples: measured })]);
    expect(folded(json)).toEqual([`${stacks[1]} 100000`]);
    expect(profileTypeOf(read(json))).toBe("cpu");
    const cycles = { ...json, meta: { ...meta, sampleUnits: { threadCPUDelta: "variable CPU cycles" } } };
    expect(totals(cycles)).toEqual({ "samples/count": 3, "wall/nanoseconds": 6_000_000 });
  });

  it("of newer versions share their tables", () => {
    const { fileName: _, ...funcTable } = tables.funcTable;
    const shared = {
      ...tables,
      stackTable: { length: 3, prefixOffset: [0, 1, 1], frame: [0, 1, 2] },
      frameTable: { ...tables.frameTable, lib: [-1, 0, -1] },
      funcTable: { ...funcTable, source: [null, null, 0] },
      resourceTable: {},
      sources: { length: 1, filename: [4] },
      stringArray: strings,
    };
    const json = processed([thread("GeckoMain"), thread("Worker", { pid: "13" })], { shared });
    expect(folded(json)).toEqual([`${stacks[0]} 4000000`, `${stacks[1]} 8000000`]);
    expect(labelled(json)).toEqual(["process=12", "process=13", "thread=GeckoMain", "thread=Worker"]);
    const { frames } = sumStacks(read(json));
    expect(frames.file[frames.functionName.indexOf("fetchAll")]).toBe(strings[4]);
  });

  it.each([
    ["bytes", [5, 6, 1, 7], { "alloc_space/bytes": 18 }, "memory"],
    ["tracing-ms", [0.5, 0.25, 9, 0.25], { "wall/nanoseconds": 1_000_000 }, "custom"],
    ["samples", [5, 6, 1, 7], { "samples/count": 18, "wall/nanoseconds": 36_000_000 }, "custom"],
  ])("have weights in %s", (weightType, weight, sums, type) => {
    const json = processed([
      thread("a", { ...tables, stringArray: strings, samples: { ...samples, weight, weightType } }),
    ]);
    expect([totals(json), profileTypeOf(read(json))]).toEqual([sums, type]);
  });

  const rows = (schema: readonly string[], data: readonly unknown[]) => ({
    schema: Object.fromEntries(schema.map((name, at) => [name, at])),
    data,
  });
  const gecko = (name: string, more: object = {}) => ({
    meta: { interval: 1, startTime: 1_795_197_995_000, version: 30, processType: 0, stackwalk: 1 },
    libs: [{ name: "libxul.so", start: 0x1000, end: 0x2000 }],
    threads: [
      {
        name,
        processType: "default",
        pid: name,
        samples: rows(
          ["stack", "time"],
          [
            [4, 1],
            [3, 2],
            [null, 3],
            [4, 4],
          ],
        ),
        stackTable: rows(
          ["prefix", "frame"],
          [
            [null, 0],
            [0, 1],
            [1, 2],
            [2, 3],
            [3, 4],
          ],
        ),
        frameTable: rows(["location", "relevantForJS", "line"], [[0], [1], [2], [3, true, 44], [4, true]]),
        stringTable: [
          "(root)",
          "0x101f",
          "XRE_main (in libxul.so) + 12",
          "emit (resource://a.js -> resource://b.js:40:13)",
          "sort (self-hosted:428)",
        ],
      },
    ],
    processes: [],
    ...more,
  });
  const geckoStack = "(root);libxul.so!0x1f;XRE_main;emit";

  it("in Gecko's form have the functions in the texts of their frames", () => {
    const json = gecko("GeckoMain");
    expect(folded(json)).toEqual([`${geckoStack} 1000000`, `${geckoStack};sort 2000000`]);
    const { frames } = sumStacks(read(json));
    const at = frames.functionName.indexOf("emit");
    expect([frames.file[at], frames.line[at], frames.startLine[at]]).toEqual(["resource://b.js", 44, 40]);
  });

  it.each([
    ["processes", gecko("1", { processes: [gecko("2")] })],
    ["threads, as texts", gecko("1", { threads: [...gecko("1").threads, JSON.stringify(gecko("2"))] })],
    [
      "a recording of the old developer tools",
      { label: null, profile: gecko("1", { processes: [gecko("2")] }) },
    ],
  ])("have the profiles of other processes in %s", (_, json) => {
    expect(folded(json)).toEqual([`${geckoStack} 2000000`, `${geckoStack};sort 4000000`]);
    expect(labelled(json)).toContain("process=default 2");
  });

  it.each([
    [
      "a stack that is its own caller",
      { stackTable: { length: 3, prefix: [1, 0, 1], frame: [0, 1, 2] } },
      "calls itself",
    ],
    ["a stack that does not exist", { samples: { ...samples, stack: [9] } }, "samples.stack names an entry"],
    [
      "a frame that does not exist",
      { stackTable: { length: 1, prefix: [null], frame: [-1] } },
      "stackTable.frame names",
    ],
    ["no table of stacks", { stackTable: null }, "stackTable is no object"],
    ["a negative CPU time", { samples: { ...samples, threadCPUDelta: [0, -1, 0, 0] } }, "negative number"],
  ])("are refused with %s", (_, more, words) => {
    const error = refusalOf(processed([thread("a", { ...tables, stringArray: strings, ...more })]));
    expect(error).toMatchObject({ code: "invalid", message: expect.stringContaining(words) });
  });

  it("without samples are refused as empty", () => {
    expect(refusalOf(processed([])).code).toBe("empty");
  });
});

describe("hostile JSON", () => {
  const chain = (length: number) => ({
    nodes: Array.from({ length }, (_, at) => ({ id: at + 1, parent: at, callFrame: call("f"), hitCount: 1 })),
    startTime: 0,
    endTime: 1000,
  });

  it("is cut at the limit of depth, in time that is in proportion", () => {
    const limits = { ...defaultLimits, depth: 10 };
    const profile = read(chain(100_000), limits);
    expect([profile.trimmed.depth, Number(totalOf(profile.samples.values[0]!))]).toEqual([99_990, 100_000]);
    expect(foldStacks(sumStacks(profile), 0)).toContain(`${"f;".repeat(10)}[truncated] 99990`);
    expect(refusalOf(chain(100_000))).toMatchObject({ code: "too_large", field: "frames" });
  });

  it("in a tree of a million calls is refused or read without recursion", () => {
    const deep = `{"head":${'{"callFrame":{},"selfSize":1,"children":['.repeat(200_000)}${"]}".repeat(200_000)}}`;
    expect(refusalOf(deep)).toMatchObject({ code: "too_large", field: "frames" });
    expect(refusalOf(chain(1000), { ...defaultLimits, locations: 999 })).toMatchObject({
      field: "locations",
    });
  });

  it.each([
    ["names", `{${Array.from({ length: 60_000 }, (_, at) => `"name${at}" :1`).join()}}`],
    ["lists", "[".repeat(3_000_000)],
    ["objects", `{"nodes":[${"{},".repeat(2_000_000)}{}]}`],
  ])("with too many %s is refused before it is parsed", (_, text) => {
    const framed = text.startsWith("{") ? text : `{"nodes":${text}`;
    expect(refusalOf(framed)).toMatchObject({ code: "too_large", field: "json" });
  });

  it.each([
    ["has a fault in its JSON", JSON.stringify(cpuprofile).replace(":", "="), "no JSON"],
    [
      "has calls that call each other",
      {
        nodes: [
          { id: 1, parent: 2 },
          { id: 2, parent: 1, hitCount: 1 },
        ],
        startTime: 0,
        endTime: 9,
      },
      "calls itself",
    ],
    ["has no time", { nodes, samples: [3], timeDeltas: [] }, "1 samples and 0 times"],
    ["has a text as a time", { nodes, samples: [3], timeDeltas: ["1"] }, "no number"],
    [
      "has times without a sum",
      JSON.stringify({ nodes, samples: [3, 3], timeDeltas: [7, 7] }).replaceAll("7", "1e308"),
      "no sum",
    ],
    ["has nodes that are no objects", { nodes: [1] }, "nodes is no object"],
    ["has a negative size", { head: { callFrame: {}, selfSize: -1 } }, "negative number"],
  ])("that %s is refused", (_, json, words) => {
    expect(refusalOf(json)).toMatchObject({ code: "invalid", message: expect.stringContaining(words) });
  });

  it("that is cut off anywhere is refused as that", () => {
    const text = JSON.stringify(cpuprofile);
    for (let end = 80; end < text.length; end++)
      expect(refusalOf(text.slice(0, end)), text.slice(end - 20, end)).toMatchObject({
        code: "malformed",
        message: "The file is cut off: its JSON has no end.",
      });
  });

  it("that is no profile is refused as JSON", () => {
    for (const json of [
      '{"error":"unauthorized"}',
      "[1]",
      '{"nodes":{}}',
      "[[]]",
      '{"__proto__":{"nodes":[]}}',
    ])
      expect(refusalOf(json)).toMatchObject({
        code: "not_pprof",
        message: expect.stringContaining("this is JSON"),
      });
  });

  it("keeps names within their limits", () => {
    const named = read(
      { head: { callFrame: call("a".repeat(50)), selfSize: 1 } },
      { ...defaultLimits, nameBytes: 20 },
    );
    expect(named.trimmed.names).toBe(1);
    expect(foldStacks(sumStacks(named), 0)).toBe(`${"a".repeat(20)} 1\n`);
  });
});

describe("a file of stackprof", () => {
  const frames = {
    7: { name: "<main>", file: "app.rb", line: null },
    8: { name: "Shop#pay", file: "shop.rb", line: 3 },
  };
  const file = (mode: string, more: object = {}) => ({
    version: 1.2,
    mode,
    interval: 1000,
    samples: 5,
    frames,
    raw: [2, 7, 8, 3, 1, 7, 2],
    ...more,
  });

  it("has samples and the time of them, CPU or wall", () => {
    expect(folded(file("cpu"))).toEqual(["<main> 2000000", "<main>;Shop#pay 3000000"]);
    expect(totals(file("cpu"))).toEqual({ "samples/count": 5, "cpu/nanoseconds": 5_000_000 });
    expect(totals(file("wall"))).toEqual({ "samples/count": 5, "wall/nanoseconds": 5_000_000 });
  });

  it("has allocated objects: the samples times the interval", () => {
    expect(totals(file("object", { interval: 10 }))).toEqual({ "alloc_objects/count": 50 });
  });

  it("without stacks, and with damaged ones, is refused", () => {
    expect(refusalOf(file("cpu", { raw: undefined })).message).toContain("raw: true");
    expect(refusalOf(file("cpu", { raw: [9, 7] })).message).toContain("raw");
    expect(refusalOf(file("cpu", { raw: [1, 6, 1] })).message).toContain("does not exist");
  });
});

it.each([
  [{ dhatFileVersion: 2, mode: "heap" }, "a heap profile of DHAT"],
  [{ format: "profileJSONWithSymbolicationTable,1", profileJSON: [] }, "a profile of Cleopatra"],
  [{ recording: { instrumentTypes: [] } }, "a timeline of Safari"],
  [{ rts_arguments: [], cost_centres: [] }, "a profile of GHC"],
])("%o is refused by its name", (json, name) => {
  expect(refusalOf(json).message).toContain(name);
});
