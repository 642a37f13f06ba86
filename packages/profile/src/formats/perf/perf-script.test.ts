import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { profileTypeOf } from "#describe/profile-type.ts";
import { defaultLimits, type ReadLimits } from "#model/limits.ts";
import { readProfile } from "#read/read-profile.ts";
import { foldStacks } from "#stacks/combine-stacks.ts";
import { sumStacks } from "#stacks/sum-stacks.ts";
import { totalOf } from "#stacks/total-of.ts";
import { labelledSamples } from "../../testing/labelled-samples.ts";

const folder = new URL("../../fixtures/dumps/", import.meta.url);

function read(text: string, limits: ReadLimits = defaultLimits) {
  const result = readProfile(Buffer.from(text), limits);
  if (!result.ok) throw new Error(result.error.message);
  return result.profile;
}

const lines = (text: string) => text.trimEnd().split("\n").sort();
const folded = (text: string, type = 0) => lines(foldStacks(sumStacks(read(text)), type));
const totals = (text: string) => {
  const { sampleTypes, values } = sumStacks(read(text));
  return sampleTypes.map(({ type, unit }, at) => `${type}/${unit} ${totalOf(values[at]!)}`);
};
const stack = "\t  40 leaf+0x1 (/srv/shop)\n\t  41 main+0x1f (/srv/shop)\n\n";

describe("the output of perf script", () => {
  it("may have tabs, as simpleperf writes it", () => {
    const text =
      "shop\t7 [007] 115539.936601:\t\t1000000 task-clock:u:\n\t40\tleaf (/srv/shop)\n\t41\tmain (/srv/shop)\n\n";
    expect(folded(text)).toEqual(["shop;main;leaf 1"]);
  });

  it("has the stacks that it was collapsed to, and their CPU time", () => {
    const text = gunzipSync(readFileSync(new URL("perf.txt.gz", folder))).toString();
    expect(folded(text)).toEqual(lines(readFileSync(new URL("perf.samples.folded", folder), "utf8")));
    expect(totals(text)).toEqual(["samples/count 245", "cpu/nanoseconds 490981960"]);
    const profile = read(text);
    expect([profileTypeOf(profile), profile.period, profile.durationNs]).toEqual([
      "cpu",
      2_004_008n,
      2_009_363_000n,
    ]);
    expect(labelledSamples(profile)[0]?.labels).toEqual({ tid: "27469" });
  });

  it.each([
    ["with a time alone", "shop 7 1.5: cycles: \n", "shop", { tid: "7" }],
    [
      "with process, thread, processor, flags and modifiers",
      "Web Content 7/8 [002] d..1. 1.5: 99 cycles:ukP: \n",
      "Web Content",
      { pid: "7", tid: "8" },
    ],
    ["without a time", "java 19983 cycles:\n", "java", { tid: "19983" }],
    [
      "with numbers in the command",
      "worker 1:2 3 4/5 1.5: 1 cycles: \n",
      "worker 1:2 3",
      { pid: "4", tid: "5" },
    ],
    ["whose command is a number in hex", "dd 29776 1.5: 1 cycles: \n", "dd", { tid: "29776" }],
    ["with a command alone", "shop \n", "shop", {}],
  ])("has an event %s", (_, event, command, labels) => {
    const samples = labelledSamples(read(`${event}${stack.replaceAll("40", "40ff")}`));
    expect(samples).toEqual([{ stack: `${command};main;leaf`, labels }]);
  });

  it("has each event in two columns, whose names are those of perf_to_profile", () => {
    const text = `shop 7 1.5: 10 cpu-clock: \n${stack}shop 7 1.6: 3 page-faults: \n${stack}shop 7 2.5: 10 cpu-clock: \n${stack}`;
    expect(totals(text)).toEqual([
      "samples/count 2",
      "cpu/nanoseconds 20",
      "page-faults_sample/count 1",
      "page-faults_event/count 3",
    ]);
    expect(totals(`shop 7 1.5: cycles: \n${stack}`)).toEqual(["cycles_sample/count 1"]);
    expect(profileTypeOf(read(`shop 7 1.5: cycles: \n${stack}`))).toBe("cpu");
    expect(profileTypeOf(read(`shop 7 1.5: 1 page-faults: \n${stack}`))).toBe("custom");
  });

  it("has samples without stacks, and those with an instruction on the line of the event", () => {
    const text = "  shop 7 1.5: 1 cycles: \n  shop 7 1.6: 1 cycles:  ffff81 vfs_read+0x1 (/lib/vmlinux)\n";
    expect(folded(text)).toEqual(["shop 1", "shop;vfs_read 1"]);
  });

  it.each([
    ["[unknown] ([unknown])", "[unknown]"],
    ["[unknown] (/usr/lib/libc-2.31.so)", "[libc-2.31.so]"],
    ["[unknown] ([kernel.kallsyms])", "[kernel.kallsyms]"],
    ["[unknown] (/tmp/perf-31912.map)", "[unknown]"],
    [
      "std::vector<int>::at(unsigned long)+0x2c (/srv/my shop (deleted))",
      "std::vector<int>::at(unsigned long)",
    ],
    ["Ljava/util/HashMap;::get (/tmp/perf-1.map)", "java/util/HashMap.get"],
    ["LShop;::sell->LShop;::price (/tmp/perf-1.map)", "Shop.sell;Shop.price"],
    ["LazyCompile:*render /app/view.js:12 (/tmp/perf-1.map)", "render"],
    ["JS:~ node:internal/main:1:1 (/tmp/perf-1.map)", "(anonymous)"],
    ["operator new(unsigned long) (inlined)", "operator new(unsigned long)"],
    ["symbol", "symbol"],
  ])("has the symbol %s", (symbol, name) => {
    expect(folded(`shop 7 1.5: 1 cycles: \n\t  40ff ${symbol}\n`)).toEqual([`shop;${name} 1`]);
  });

  it("has the files and lines of scripts and of source lines", () => {
    const text =
      "shop 7 1.5: 1 cycles: \n\t 40ff LazyCompile:*render /app/view.js:12:4 (/tmp/perf-1.map)\n\t 41ff main+0x1\n  shop.c:33\n";
    const { frames } = sumStacks(read(text));
    expect(frames.functionName.map((name, at) => `${name} ${frames.file[at]}:${frames.line[at]}`)).toEqual(
      expect.arrayContaining(["render /app/view.js:12", "main shop.c:33"]),
    );
  });

  it("has the limits of pprof", () => {
    const text = `shop 7 1.5: 1 cycles: \n${stack}`;
    const refusal = (body: string, limits: Partial<ReadLimits>) => {
      const result = readProfile(Buffer.from(body), { ...defaultLimits, ...limits });
      return result.ok ? undefined : result.error;
    };
    expect(read(text, { ...defaultLimits, depth: 2 }).trimmed.depth).toBe(1);
    expect(refusal(text + text, { samples: 1 })).toMatchObject({ code: "too_large", field: "samples" });
    expect(refusal(text + text.replace("cycles", "faults"), { sampleTypes: 2 })).toMatchObject({
      field: "sampleTypes",
    });
    // Two samples of two events have eight values: a later event has a value in each sample before it.
    const faults = text.replace("cycles", "faults");
    expect(refusal(text + text, { values: 3 })).toMatchObject({ code: "too_large", field: "values" });
    expect(refusal(text + faults, { values: 3 })).toMatchObject({ code: "too_large", field: "values" });
    expect(refusal(text + faults, { values: 7 })).toMatchObject({ code: "too_large", field: "values" });
    expect(refusal(text + faults, { values: 8 })).toBeUndefined();
    expect(refusal(`${text}${"x".repeat(70_000)}\n`, {})).toMatchObject({ code: "invalid", field: "line" });
    expect(refusal(text.replace(" 1 c", " 9007199254740993 c"), {})).toMatchObject({
      code: "invalid",
      field: "period",
    });
  });
});
