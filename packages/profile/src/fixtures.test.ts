import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { describe as statisticsOf } from "./describe/describe.ts";
import { functionTotals } from "./describe/function-totals.ts";
import { isCumulative, profileTypeOf } from "./describe/profile-type.ts";
import type { Profile } from "./model/profile.ts";
import { readProfile } from "./read/read-profile.ts";
import { foldStacks } from "./stacks/combine-stacks.ts";
import { sumStacks } from "./stacks/sum-stacks.ts";
import { writeProfile } from "./write/write-profile.ts";

const folder = new URL("fixtures/", import.meta.url);
const recorded = readdirSync(folder).filter((name) => name.endsWith(".pb.gz"));

function profileIn(name: string): Profile {
  const result = readProfile(gunzipSync(readFileSync(new URL(name, folder))));
  if (!result.ok) throw new Error(`${name}: ${result.error.message}`);
  return result.profile;
}

describe("recorded profiles", () => {
  it("there are some", () => {
    expect(recorded.length).toBe(8);
  });

  it.each(recorded.filter((name) => !name.startsWith("threadcreate")))(
    "%s folds as Go's parser sees it",
    (name) => {
      const profile = profileIn(name);
      const stacks = sumStacks(profile);
      expect(profile.sampleTypes.length).toBeGreaterThan(0);
      profile.sampleTypes.forEach(({ type }, i) => {
        const truth = readFileSync(
          new URL(`${name.replace(/\.pb\.gz$/, "")}.${type}.folded`, folder),
          "utf8",
        );
        expect(truth.length).toBeGreaterThan(0);
        expect(foldStacks(stacks, i).split("\n").sort().join("\n").trim()).toBe(
          truth.split("\n").sort().join("\n").trim(),
        );
      });
    },
  );

  it("show functions without a name by their address", () => {
    const folded = foldStacks(sumStacks(profileIn("threadcreate.pb.gz")), 0);
    expect(folded).toBe(`${new Array(32).fill("0xffffffffffffffff").join(";")} 4\n`);
  });

  it.each(recorded)("%s reads the same after writing", (name) => {
    const profile = profileIn(name);
    expect(readProfile(writeProfile(profile))).toEqual({ ok: true, profile });
  });

  it("cpu.pb.gz has the flat and cumulative values of go tool pprof", () => {
    const stacks = sumStacks(profileIn("cpu.pb.gz"));
    const { names, self, cum } = functionTotals(stacks, Float64Array.from(stacks.values[1], Number));
    const lines = readFileSync(new URL("cpu.cpu.top.txt", folder), "utf8").matchAll(
      /^ *(\d+)(?:ns)? +\S+ +\S+ +(\d+)(?:ns)? +\S+ {2}(.+?)(?: \((?:partial-)?inline\))?$/gm,
    );
    let looked = 0;
    for (const [, flat, total, name] of lines) {
      const i = names.indexOf(name);
      expect([self[i], cum[i]], name).toEqual([Number(flat), Number(total)]);
      looked++;
    }
    expect(looked).toBeGreaterThan(20);
  });

  it("keep start lines, inlined frames and labels", () => {
    const { functions, locations, labels, strings } = profileIn("cpu.pb.gz");
    expect(functions.startLine.some((line) => line > 0)).toBe(true);
    const lines = Array.from(
      { length: locations.length },
      (_, i) => locations.lineStart[i + 1] - locations.lineStart[i],
    );
    expect(Math.max(...lines)).toBeGreaterThan(1);
    expect(Array.from(labels.text, (index) => strings[index])).toContain("/checkout");
  });

  it("are of the type that their sample types say", () => {
    const typeOf = (name: string) => {
      return profileTypeOf(profileIn(`${name}.pb.gz`), name);
    };
    expect(["cpu", "heap", "allocs", "goroutine", "mutex", "block", "record.open_carts"].map(typeOf)).toEqual(
      ["cpu", "memory", "memory", "goroutine", "mutex", "block", "custom"],
    );
    expect(isCumulative(profileIn("heap.pb.gz"))).toBe(true);
    expect(isCumulative(profileIn("cpu.pb.gz"))).toBe(false);
  });

  it("have statistics", () => {
    const goroutines = statisticsOf(profileIn("goroutine.pb.gz"), "goroutine");
    expect(goroutines.sampleCount).toBe(26);
    expect(goroutines.duration).toBe("unknown");
    expect(goroutines.context.platform).toBe("linux");
    const cpu = statisticsOf(profileIn("cpu.pb.gz"), "cpu");
    expect(cpu.callPatterns).toContain("deep_recursion");
    expect(cpu.topFunctions[0].category).toBe("standard_library");
  });
});
