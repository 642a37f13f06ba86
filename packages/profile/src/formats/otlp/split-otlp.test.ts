import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type FastProfile, readFastProfile } from "#fast-reader/fast-profile.ts";
import { labelsOfSamples } from "#labels/sample-labels.ts";
import { defaultLimits } from "#model/limits.ts";
import { Refusal } from "#model/profile-error.ts";
import type { StackTable } from "#model/stack-table.ts";
import { readProfile } from "#read/read-profile.ts";
import { foldStacks } from "#stacks/combine-stacks.ts";
import { sumSamples, sumStacks } from "#stacks/sum-stacks.ts";
import { corpus } from "../../testing/corpus.ts";
import { otlpOf } from "../../testing/otlp-of.ts";
import { sniff } from "../sniff.ts";
import { pprofOfOtlp } from "./pprof-of-otlp.ts";
import { type OtlpPart, splitOtlp } from "./split-otlp.ts";

const options = { isJson: false, partsMax: 1000, formatOf: sniff };

function partsOf(bytes: Uint8Array, more = {}) {
  const split = splitOtlp(bytes, defaultLimits, { ...options, ...more });
  if (!split.ok) throw new Error(split.error.message);
  return split.parts;
}

function read(bytes: Uint8Array) {
  const result = readProfile(bytes);
  if (!result.ok) throw new Error(result.error.message);
  return result.profile;
}

const linesOf = (bytes: Uint8Array, type = 0) =>
  foldStacks(sumStacks(read(bytes)), type)
    .trim()
    .split("\n")
    .filter((line) => line !== "")
    .sort();
const minute = 60_000_000_000n;

describe("a request is split", () => {
  it("by service, sample type, tags and minute, and profiles that agree are one", () => {
    const samples = [{ stack: "main", times: [1n] }];
    const profile = { timeNs: 5n * minute, samples };
    const resource = (
      attributes: Readonly<Record<string, string | number>>,
      ...profiles: (typeof profile)[]
    ) => ({
      attributes,
      profiles,
    });
    const parts = partsOf(
      otlpOf([
        resource({ "service.name": "a", "process.pid": 1 }, profile, {
          ...profile,
          timeNs: 5n * minute + 1n,
        }),
        resource({ "service.name": "a", "process.pid": 2 }, profile, { ...profile, timeNs: 6n * minute }),
        resource({ "service.name": "a", "host.name": "n" }, profile),
        resource({ "service.name": "b" }, profile, { ...profile, ...{ type: "off_cpu/nanoseconds" } }),
      ]),
    );
    expect(parts.map(({ service, tags, profiles }) => [service, Object.fromEntries(tags), profiles])).toEqual(
      [
        ["a", {}, 3],
        ["a", {}, 1],
        ["a", { "host.name": "n" }, 1],
        ["b", {}, 1],
        ["b", {}, 1],
      ],
    );
    const merged = read(parts[0]!.bytes(1e6)!);
    const { strings, labels } = merged;
    expect(Array.from(labels.text, (text) => strings[text])).toEqual(["1", "1", "2"]);
  });

  it("by the services and programs that samples name; a service comes before a program, the sample before the resource", () => {
    const sample = (attributes: Readonly<Record<string, string>>) => ({
      stack: "main",
      times: [1n],
      attributes,
    });
    const samples = [
      sample({}),
      sample({ "process.executable.name": "node" }),
      sample({ "process.executable.name": "node", "service.name": "shop" }),
    ];
    const named = (attributes: Readonly<Record<string, string>>) =>
      partsOf(otlpOf([{ attributes, profiles: [{ samples }] }])).map(({ service }) => service);
    expect(named({})).toEqual([undefined, "node", "shop"]);
    expect(named({ "service.name": "all" })).toEqual(["all", "shop"]);
    expect(named({ "process.executable.name": "agent" })).toEqual(["agent", "node", "shop"]);
  });

  it("into requests whose stacks, labels and build ids are those of the whole, in both layouts", () => {
    for (const version of ["1.8", "1.9"] as const) {
      const samples = (name: string) => [
        {
          stack: `go|main@m.go:1;native|lib${name}.so!0xff;${name}<outer`,
          values: [3],
          attributes: { "thread.name": name },
        },
      ];
      const bytes = otlpOf(
        ["a", "b"].map((name) => ({
          attributes: { "service.name": name },
          profiles: [{ samples: samples(name) }],
        })),
        { version, hasDictionaryFirst: true },
      );
      for (const part of partsOf(bytes)) {
        const alone = part.bytes(1e6)!;
        expect(linesOf(alone)).toEqual([`main;lib${part.service}.so!0xff;outer;${part.service} 3`]);
        const { strings, labels, mappings } = read(alone);
        expect(Array.from(labels.text, (text) => strings[text])).toContain(part.service);
        expect(Array.from(mappings.buildId, (text) => strings[text])).toContain(
          `build-of-lib${part.service}.so`,
        );
        expect(Buffer.from(alone).includes(part.service === "a" ? "libb.so" : "liba.so")).toBe(false);
      }
    }
  });

  it("within limits on parts and their bytes, and not at all if it is one", () => {
    const resources = ["a", "b"].map((name) => ({
      attributes: { "service.name": name },
      profiles: [{ samples: [{ stack: "main", times: [1n] }] }],
    }));
    expect(splitOtlp(otlpOf(resources), defaultLimits, { ...options, partsMax: 1 })).toMatchObject({
      ok: false,
      error: { code: "too_large", field: "profiles" },
    });
    const [part] = partsOf(otlpOf(resources));
    expect(() => part!.bytes(20)).toThrow(/so many services/);
    expect(partsOf(otlpOf(resources.slice(0, 1)))[0]!.bytes(1e6)).toBeUndefined();
  });

  it("or refused, whatever byte is broken", () => {
    const bytes = otlpOf([
      {
        attributes: { "service.name": "shop", "process.pid": 7 },
        profiles: [
          {
            samples: [
              {
                stack: "go|main@a.go:1;kernel|schedule",
                values: [3],
                times: [5n],
                attributes: { "service.name": "x" },
              },
            ],
          },
          { type: "off_cpu/nanoseconds", samples: [{ stack: "main", values: [3] }] },
        ],
      },
    ]);
    let looked = 0;
    for (const mutant of mutantsOf(bytes)) {
      const split = splitOtlp(mutant, defaultLimits, options);
      if (split.ok) for (const part of split.parts) looked += readPart(part);
      else expect(split.error.message).not.toBe("");
    }
    expect(looked).toBeGreaterThan(1000);
  });
});

describe.skipIf(!existsSync(corpus))("requests of the eBPF profiler collected outside the repository", () => {
  const folder = new URL("open/", corpus);
  const files = readdirSync(folder).filter((name) => name.includes("otel-ebpf-profile"));

  it.each(files)("%s has the samples of its parts", (file) => {
    const bytes = readFileSync(new URL(encodeURIComponent(file), folder));
    const parts = partsOf(bytes);
    expect(parts.length).toBeGreaterThan(4);
    const whole = new Map<string, number>();
    const sums = new Map<string, number>();
    const { sampleTypes } = read(bytes);
    for (const [index, { type }] of sampleTypes.entries()) add(whole, type, linesOf(bytes, index));
    for (const part of parts) {
      const alone = part.bytes(1e6)!;
      expect(fast(alone)).toEqual(general(alone));
      add(sums, read(alone).sampleTypes[0]!.type, linesOf(alone));
    }
    expect([...sums].sort()).toEqual([...whole].sort());
  });
});

function add(sums: Map<string, number>, type: string, lines: readonly string[]): void {
  for (const line of lines) {
    const space = line.lastIndexOf(" ");
    const key = `${type} ${line.slice(0, space)}`;
    sums.set(key, (sums.get(key) ?? 0) + Number(line.slice(space)));
  }
}

function* mutantsOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at++) {
    for (const byte of [0, 1, 0x0a, 0x12, 0x7f, 0x80, 0xff, bytes[at]! ^ 1]) {
      const mutant = Uint8Array.from(bytes);
      mutant[at] = byte;
      yield mutant;
    }
  }
}

/** As the general reader reads it, if the fast reader gives up. */
function readFast(bytes: Uint8Array) {
  const pprof = pprofOfOtlp(bytes, defaultLimits, 1e7);
  return pprof && readFastProfile(pprof, defaultLimits, true) ? fast(bytes) : general(bytes);
}

/** Stacks, labels and facts of a request by the fast reader, which must not give up. */
function fast(bytes: Uint8Array) {
  const pprof = pprofOfOtlp(bytes, defaultLimits, 1e7);
  const found = pprof && readFastProfile(pprof, defaultLimits, true);
  if (found === undefined) throw new Error("the fast reader gave up");
  return summary(found, found.stacks, found.labels);
}

function general(bytes: Uint8Array) {
  const profile = read(bytes);
  const { stacks, stackOf } = sumSamples(profile);
  return summary(
    { ...profile, sampleCount: profile.samples.length },
    stacks,
    labelsOfSamples(profile, stackOf, stacks.length),
  );
}

type Facts = Pick<
  FastProfile,
  "sampleCount" | "sampleTypes" | "timeNs" | "durationNs" | "period" | "periodType"
>;

function summary(facts: Facts, stacks: StackTable, labels: FastProfile["labels"]) {
  const { sampleCount, sampleTypes, timeNs, durationNs, period, periodType } = facts;
  const { frames } = stacks;
  const frameOf = (at: number) =>
    [frames.functionName[at], frames.file[at], frames.line[at], frames.startLine[at]].join();
  return {
    ...{ sampleCount, sampleTypes, timeNs, durationNs, period, periodType },
    stacks: foldStacks(stacks, 0).split("\n").sort(),
    frames: Array.from({ length: frames.length }, (_, at) => frameOf(at)).sort(),
    labels: typeof labels === "object" ? totalsByLabels(labels) : labels,
  };
}

function totalsByLabels({
  set,
  values,
  setStart,
  setLabels,
  labels,
}: Exclude<FastProfile["labels"], string | undefined>) {
  const totals = new Map<string, number>();
  for (const [row, number] of set.entries()) {
    const of = number === 0 ? [] : [...setLabels.subarray(setStart[number - 1], setStart[number])];
    const key = of.map((label) => `${labels[label]!.key}=${labels[label]!.value}`).join();
    totals.set(key, (totals.get(key) ?? 0) + values[0]![row]!);
  }
  return [...totals].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Returns 1 once the part was read or refused. */
function readPart(part: OtlpPart): number {
  try {
    const alone = part.bytes(1e6);
    if (alone !== undefined && readProfile(alone).ok) expect(readFast(alone)).toEqual(general(alone));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
  return 1;
}
