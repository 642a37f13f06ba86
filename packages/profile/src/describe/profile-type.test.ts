import { type ProfileType, profileTypeEntry, profileTypes } from "@flamekeep/contract/profile-types";
import { describe, expect, it } from "vitest";
import type { ValueType } from "#model/stack-table.ts";
import { readProfile } from "#read/read-profile.ts";
import { inflatedRecording } from "../testing/recordings.ts";
import { spellingOf } from "./measures.ts";
import {
  contradiction,
  defaultSampleType,
  isCounter,
  isCumulative,
  isGauge,
  measurementsOf,
  profileTypeOf,
} from "./profile-type.ts";
import { countColumn } from "./sample-count.ts";
import { isWaitingType } from "./waiting-frames.ts";

function types(names: string): ValueType[] {
  return names.split(" ").map((name) => {
    const slash = name.lastIndexOf("/");
    return { type: name.slice(0, slash), unit: name.slice(slash + 1) };
  });
}

const cpu = "samples/count cpu/nanoseconds";
const heap = "alloc_objects/count alloc_space/bytes inuse_objects/count inuse_space/bytes";
const lock = "contentions/count delay/nanoseconds";

const cases: [names: string, hint: string, type: ProfileType][] = [
  [cpu, "", "cpu"],
  [cpu, "heap", "cpu"],
  ["samples/count CPU/microseconds", "", "cpu"],
  [heap, "", "memory"],
  ["objects/count space/bytes", "", "memory"],
  [lock, "", "mutex"],
  [lock, "block", "block"],
  [lock, "/debug/pprof/block", "block"],
  [lock, "block_duration", "block"],
  [lock, "delta-mutex.pprof", "mutex"],
  ["goroutine/count", "", "goroutine"],
  ["goroutineleak/count", "", "goroutine_leak"],
  ["threadcreate/count", "", "custom"],
  ["shop.open_carts/count", "", "custom"],
  ["wall/nanoseconds", "", "custom"],
  ["events/count", "process_cpu", "cpu"],
];

describe("the type of a profile", () => {
  it.each(cases)("%s named '%s' is %s", (names, hint, type) => {
    expect(profileTypeOf({ sampleTypes: types(names) }, hint)).toBe(type);
  });

  it.each(["goroutineleak", "goroutineleak-none"])("that Go 1.26 wrote is its own for %s", (name) => {
    const read = readProfile(inflatedRecording(`go1.26/${name}.pb.gz`)!);
    if (!read.ok) throw new Error(read.error.message);
    for (const hint of ["", name, "goroutine"])
      expect(profileTypeOf(read.profile, hint)).toBe("goroutine_leak");
  });
});

const contents = {
  cpu: [cpu, "wall/nanoseconds cpu/nanoseconds"],
  memory: [heap, "objects/count space/bytes"],
  goroutine: ["goroutine/count"],
  mutex: [lock],
  block: [lock],
  wall: ["sample/count wall/nanoseconds"],
  threadcreate: ["threadcreate/count"],
};
const open = ["shop.open_carts/count", "samples/count", "cycles/count"];

describe("a type that the sender named", () => {
  const named = ["cpu", "memory", "goroutine", "mutex", "block"] as const;
  const contradicts = (type: ProfileType, names: string) =>
    contradiction(type, measurementsOf({ sampleTypes: types(names) })).length > 0;

  it.each(named)("%s is contradicted by every content that measures something else", (type) => {
    const fitting = new Set<string>(type === "mutex" || type === "block" ? ["mutex", "block"] : [type]);
    for (const [content, profiles] of Object.entries(contents)) {
      for (const names of profiles) {
        expect([content, names, contradicts(type, names)]).toEqual([content, names, !fitting.has(content)]);
      }
    }
  });

  it("is taken where the content leaves it open, and custom always", () => {
    for (const names of open) for (const type of named) expect(contradicts(type, names)).toBe(false);
    for (const names of Object.values(contents).flat()) expect(contradicts("custom", names)).toBe(false);
  });

  it("is accepted if the profile contains several measurements and one of them matches", () => {
    const several = `${cpu} ${heap}`;
    expect([contradicts("memory", several), contradicts("cpu", several)]).toEqual([false, false]);
    expect(contradiction("mutex", measurementsOf({ sampleTypes: types(several) }))).toEqual([
      "cpu",
      "memory",
    ]);
  });
});

describe("the sample type to show", () => {
  const choose = (names: string, own: string, type: ProfileType) =>
    defaultSampleType({ sampleTypes: types(names), defaultSampleType: own }, type);

  it("is memory in use for heap, nanoseconds for cpu, delay for locks", () => {
    expect(choose(heap, "", "memory")).toBe(3);
    expect(choose("inuse_objects/count inuse_space/bytes alloc_space/bytes", "", "memory")).toBe(1);
    expect(choose(cpu, "", "cpu")).toBe(1);
    expect(choose(lock, "", "mutex")).toBe(1);
  });

  it("is the profile's own default where that is one of its types", () => {
    expect(choose(heap, "alloc_space", "memory")).toBe(1);
    expect(choose(cpu, "samples", "cpu")).toBe(0);
    expect(choose(cpu, "nothing", "cpu")).toBe(1);
  });

  it("is -1 where there are none", () => {
    expect(defaultSampleType({ sampleTypes: [], defaultSampleType: "" }, "cpu")).toBe(-1);
  });
});

describe("how values add up over time", () => {
  it("counts of existing things are gauges", () => {
    const gauges = types(`${heap} goroutine/count shop.open_carts/count objects/count space/bytes`).filter(
      isGauge,
    );
    expect(gauges.map(({ type }) => type)).toEqual([
      "inuse_objects",
      "inuse_space",
      "goroutine",
      "shop.open_carts",
      "objects",
      "space",
    ]);
    expect(types(`${cpu} ${lock} threadcreate/count lock_count/count`).filter(isGauge)).toEqual([]);
  });

  it("distinguishes gauges from events by whole words of their names", () => {
    const gauges = types(
      "fileblocks/count db.blocks_open/count clock_handles/count sampled_conns/count allocators/count " +
        "heap-live-size/bytes heap-live-samples/count heapLiveSize/bytes inuse-space/bytes delay_p99/nanoseconds " +
        "go_num_goroutine/count go_max_gc_pause_time/nanoseconds",
    );
    for (const gauge of gauges)
      expect({ ...gauge, isGauge: isGauge(gauge) }).toMatchObject({ isGauge: true });
    const events = types(
      "alloc-samples/count alloc_in_new_tlab_objects/count allocSamples/count exception-samples/count deliveries/bytes " +
        "go_gc_events/count go_gc_pause_time/nanoseconds",
    );
    for (const event of events)
      expect({ ...event, isGauge: isGauge(event) }).toMatchObject({ isGauge: false });
  });

  it("Go's snapshots are cumulative, its windows are not", () => {
    for (const names of [heap, lock, "threadcreate/count"]) {
      expect(isCumulative({ sampleTypes: types(names), durationNs: 0n })).toBe(true);
      expect(isCumulative({ sampleTypes: types(names), durationNs: 5n })).toBe(false);
    }
    expect(isCumulative({ sampleTypes: types("goroutine/count"), durationNs: 0n })).toBe(false);
    expect(types(heap).map(isCounter)).toEqual([true, true, false, false]);
  });
});

it("knows what identifies each type", () => {
  const named = (name: string) => ({ type: name.split("/")[0], unit: name.split("/")[1] });
  const names =
    "alloc_objects/count alloc_space/bytes inuse_objects/count inuse_space/bytes space/bytes samples/count cpu/nanoseconds goroutine/count goroutines/count goroutineleak/count contentions/count delay/nanoseconds wall/nanoseconds wall/microseconds threadcreate/count lock-time/nanoseconds exceptions/count heap-live-size/bytes";
  const sampleTypes = names.split(" ").map(named);
  const mains = profileTypes.map((type) => {
    const index = defaultSampleType({ sampleTypes, defaultSampleType: "" }, type);
    return `${type}: ${names.split(" ")[index]}`;
  });
  const measuredSampleTypes = Object.fromEntries(
    profileTypes.map((type) => [type, profileTypeEntry(type).measuredBy]),
  );
  expect({ measuredSampleTypes, mains, waiting: profileTypes.filter(isWaitingType) }).toMatchInlineSnapshot(`
    {
      "mains": [
        "cpu: cpu/nanoseconds",
        "memory: inuse_space/bytes",
        "goroutine: goroutine/count",
        "goroutine_leak: goroutineleak/count",
        "mutex: delay/nanoseconds",
        "block: delay/nanoseconds",
        "custom: wall/nanoseconds",
      ],
      "measuredSampleTypes": {
        "block": [
          "delay/nanoseconds",
        ],
        "cpu": [
          "cpu/nanoseconds",
        ],
        "custom": [],
        "goroutine": [
          "goroutine/count",
          "goroutines/count",
        ],
        "goroutine_leak": [
          "goroutineleak/count",
        ],
        "memory": [
          "inuse_space/bytes",
          "space/bytes",
        ],
        "mutex": [
          "delay/nanoseconds",
        ],
      },
      "waiting": [
        "goroutine",
        "goroutine_leak",
        "mutex",
        "block",
      ],
    }
  `);
  const hints =
    "mutex lock block goroutineleak goroutines heap allocs memory alloc inuse mem cpu profile wall offcpu";
  expect(
    hints.split(" ").map((hint) => `${hint}: ${profileTypeOf({ sampleTypes: [] }, hint)}`),
  ).toMatchInlineSnapshot(`
    [
      "mutex: mutex",
      "lock: mutex",
      "block: block",
      "goroutineleak: goroutine_leak",
      "goroutines: goroutine",
      "heap: memory",
      "allocs: memory",
      "memory: memory",
      "alloc: memory",
      "inuse: memory",
      "mem: memory",
      "cpu: cpu",
      "profile: cpu",
      "wall: custom",
      "offcpu: custom",
    ]
  `);
  expect(
    sampleTypes.map(
      (sampleType, index) =>
        `${names.split(" ")[index]}: ${JSON.stringify(spellingOf(sampleType))} ${isGauge(sampleType)} ${isCounter(sampleType)} ${countColumn(sampleTypes, index)}`,
    ),
  ).toMatchInlineSnapshot(`
    [
      "alloc_objects/count: {"family":"memory","name":"alloc_objects","isPart":false} false true 0",
      "alloc_space/bytes: {"family":"memory","name":"alloc_space","isPart":false} false true 0",
      "inuse_objects/count: {"family":"memory","name":"inuse_objects","isPart":false} true false 2",
      "inuse_space/bytes: {"family":"memory","name":"inuse_space","isPart":false} true false 2",
      "space/bytes: {"family":"memory","isPart":false} true false -1",
      "samples/count: undefined false false 5",
      "cpu/nanoseconds: {"family":"cpu","name":"cpu","isPart":false} false false 5",
      "goroutine/count: {"family":"goroutine","isPart":false} true false 7",
      "goroutines/count: {"family":"goroutine","isPart":false} true false 8",
      "goroutineleak/count: {"family":"goroutine_leak","name":"goroutineleak","isPart":false} true false 9",
      "contentions/count: {"family":"contention","name":"contentions","isPart":false} false true 10",
      "delay/nanoseconds: {"family":"contention","name":"delay","isPart":false} false true 10",
      "wall/nanoseconds: {"family":"wall","name":"wall","isPart":false} false false 5",
      "wall/microseconds: {"family":"wall","name":"wall","isPart":false} false false 5",
      "threadcreate/count: undefined false true 14",
      "lock-time/nanoseconds: {"family":"contention","name":"delay","isPart":false} false false -1",
      "exceptions/count: undefined false false 16",
      "heap-live-size/bytes: {"family":"memory","name":"inuse_space","isPart":false} true false -1",
    ]
  `);
});
