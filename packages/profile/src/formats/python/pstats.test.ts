import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { functionTotals } from "#describe/function-totals.ts";
import { profileTypeOf } from "#describe/profile-type.ts";
import { defaultLimits, type ReadLimits } from "#model/limits.ts";
import { readProfile } from "#read/read-profile.ts";
import { foldStacks } from "#stacks/combine-stacks.ts";
import { sumStacks } from "#stacks/sum-stacks.ts";
import { readStacks } from "../../read-stacks.ts";

const folder = new URL("../../fixtures/dumps/", import.meta.url);
const recorded = readFileSync(new URL("cprofile.py3.11.prof", folder));

function read(bytes: Uint8Array, limits: ReadLimits = defaultLimits) {
  const result = readProfile(bytes, limits);
  if (!result.ok) throw new Error(result.error.message);
  return result.profile;
}

const refusal = (bytes: Uint8Array, limits: Partial<ReadLimits> = {}) => {
  const result = readProfile(bytes, { ...defaultLimits, ...limits });
  return result.ok ? undefined : result.error;
};

/** Python's marshal, without references. */
const int = (value: number) => {
  const bytes = Buffer.alloc(5, "i");
  bytes.writeInt32LE(value, 1);
  return bytes;
};
const float = (value: number) => {
  const bytes = Buffer.alloc(9, "g");
  bytes.writeDoubleLE(value, 1);
  return bytes;
};
const text = (value: string) => Buffer.from(`z${String.fromCharCode(value.length)}${value}`, "latin1");
const tuple = (...values: Uint8Array[]) => Buffer.concat([Buffer.from([0x29, values.length]), ...values]);
const dictionary = (...entries: Uint8Array[]) =>
  Buffer.concat([Buffer.from("{"), ...entries, Buffer.from("0")]);
const key = (name: string) => tuple(text("shop.py"), int(7), text(name));
const entry = (name: string, calls: number, seconds: number, callers: Uint8Array) =>
  Buffer.concat([key(name), tuple(int(calls), int(calls), float(seconds), float(seconds), callers)]);

describe("the statistics of cProfile", () => {
  it("have the calls and self times that Python reads, by function and by caller", () => {
    type Row = [
      file: string,
      line: number,
      name: string,
      calls: number,
      seconds: number,
      callers: unknown[][],
    ];
    const rows: Row[] = JSON.parse(readFileSync(new URL("cprofile.py3.11.json", folder), "utf8"));
    const expected = new Map<string, number>();
    const self = new Map<string, number>();
    const add = (to: Map<string, number>, name: string, value: number) =>
      to.set(name, (to.get(name) ?? 0) + value);
    for (const [, , name, calls, seconds, callers] of rows) {
      for (const [, , caller, count] of callers) add(expected, `${caller};${name}`, Number(count));
      add(expected, name, calls - callers.reduce((sum, [, , , count]) => sum + Number(count), 0));
      add(self, name, Math.round(seconds * 1e9));
    }
    const profile = read(recorded);
    const stacks = sumStacks(profile);
    const lines = [...expected].filter(([, count]) => count > 0).map(([stack, count]) => `${stack} ${count}`);
    expect(lines.length).toBeGreaterThan(20);
    expect(foldStacks(stacks, 0).trim().split("\n").sort()).toEqual(lines.sort());
    const times = functionTotals(stacks, Float64Array.from(stacks.values[1]!, Number));
    const ours = new Map<string, number>();
    for (const [at, name] of times.names.entries()) add(ours, name, times.self[at]!);
    for (const [name, ns] of self) expect([name, ours.get(name)]).toEqual([name, ns]);
    expect(profileTypeOf(profile)).toBe("custom");
    expect(profile.sampleTypes.map(({ type }) => type)).toEqual(["calls", "wall"]);
  });

  it("have calls without a caller as stacks of one frame", () => {
    const bytes = dictionary(
      entry("main", 1, 0.5, dictionary()),
      entry("work", 3, 1, dictionary(key("main"), tuple(int(2), int(2), float(0.75), float(0.75)))),
      // The module `profile` writes calls by caller, without times.
      entry("rest", 2, 0.25, dictionary(key("main"), int(2))),
    );
    const stacks = sumStacks(read(bytes));
    expect(foldStacks(stacks, 0)).toBe("main 1\nmain;work 2\nwork 1\nmain;rest 2\n");
    expect(foldStacks(stacks, 1)).toBe(
      "main 500000000\nmain;work 750000000\nwork 250000000\nrest 250000000\n",
    );
  });

  it("have more time by callers than there is only as their sum", () => {
    const bytes = dictionary(
      entry("work", 1, 1, dictionary(key("main"), tuple(int(1), int(1), float(2), float(2)))),
    );
    expect(foldStacks(sumStacks(read(bytes)), 1)).toBe("work 1000000000\n");
  });

  const one = dictionary(entry("work", 1, 1, dictionary()));

  it.each([
    ["code", Buffer.concat([one.subarray(0, 1), tuple(text("a"), int(1), Buffer.from("c"))])],
    [
      "a list in place of a text",
      Buffer.concat([one.subarray(0, 1), tuple(Buffer.from("[\x05\0\0\0"), int(1), text("a"))]),
    ],
    [
      "a tuple of a billion objects",
      Buffer.concat([one.subarray(0, 3), Buffer.from("(\xff\xff\xff\x7f", "latin1")]),
    ],
    [
      "a number of a billion digits",
      Buffer.concat([one.subarray(0, 3), Buffer.from("l\xff\xff\xff\x7f", "latin1")]),
    ],
    ["a reference to nothing", Buffer.concat([one.subarray(0, 3), Buffer.from("r\x05\0\0\0", "latin1")])],
    ["a negative time", dictionary(entry("work", 1, -1, dictionary()))],
    ["a time that is no number", dictionary(entry("work", 1, Number.NaN, dictionary()))],
    ["a negative number of calls", dictionary(entry("work", -1, 1, dictionary()))],
    ["its end cut off", one.subarray(0, -1)],
    [
      "a million tuples in each other",
      Buffer.concat([one.subarray(0, 3), Buffer.from(")\x01".repeat(1e6), "latin1")]),
    ],
  ])("are refused with %s", (_, bytes) => {
    const padded =
      bytes.subarray(0, 3).toString("latin1") === "{)\x03"
        ? bytes
        : Buffer.concat([Buffer.from("{)\x03", "latin1"), bytes]);
    expect(refusal(padded)).toMatchObject({ code: "invalid", message: expect.stringContaining("cProfile") });
  });

  it("have the limits of pprof", () => {
    expect(refusal(recorded, { samples: 3 })).toMatchObject({ code: "too_large", field: "samples" });
    expect(refusal(recorded, { strings: 3 })).toMatchObject({ code: "too_large", field: "strings" });
    expect(refusal(recorded, { locations: 3 })).toMatchObject({ code: "too_large", field: "locations" });
  });

  it("name one long text often at the cost of naming a short one", () => {
    const long = Buffer.concat([Buffer.from("\xf5\0\0\x10\0", "latin1"), Buffer.alloc(0x100000, "x")]);
    const again = Buffer.from("r\0\0\0\0", "latin1");
    const entries = Array.from({ length: 20_000 }, (_, i) =>
      Buffer.concat([
        tuple(i === 0 ? long : again, int(i + 1), i === 0 ? again : again),
        tuple(int(1), int(1), float(0), float(0), dictionary()),
      ]),
    );
    const read = readStacks(Uint8Array.from(dictionary(...entries)));
    expect(read).toMatchObject({ ok: false, error: { code: "too_large", field: "frameText" } });
  });
});
