import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { functionTotals } from "#describe/function-totals.ts";
import { profileTypeOf } from "#describe/profile-type.ts";
import { defaultLimits } from "#model/limits.ts";
import { withoutShapes } from "#names/function-name.ts";
import { readProfile } from "#read/read-profile.ts";
import { foldStacks } from "#stacks/combine-stacks.ts";
import { sumStacks } from "#stacks/sum-stacks.ts";
import { totalOf } from "#stacks/total-of.ts";
import { readLabelledStacks } from "../read-stacks.ts";

const folder = new URL("../fixtures/", import.meta.url);

function read(bytes: Uint8Array, limits = defaultLimits) {
  const result = readProfile(bytes, limits);
  if (!result.ok) throw new Error(result.error.message);
  return result.profile;
}

const collapsed = (text: string) => read(Buffer.from(text));
const lines = (text: string) => text.trim().split("\n").sort();

function refusalOf(text: string, limits = defaultLimits) {
  const result = readProfile(Buffer.from(text), limits);
  if (result.ok) throw new Error("it was read");
  return result.error;
}

describe("collapsed stacks", () => {
  const folded = readdirSync(folder).filter((name) => name.endsWith(".folded"));

  it.each(folded.filter((name) => !name.startsWith("threadcreate")))("%s reads as it was written", (name) => {
    const text = readFileSync(new URL(name, folder), "utf8");
    const profile = collapsed(text);
    expect(profile.samples.length).toBe(lines(text).length);
    expect(lines(foldStacks(sumStacks(profile), 0))).toEqual(lines(text));
    expect(profile.sampleTypes).toEqual([{ type: "samples", unit: "count" }]);
  });

  it("sums equal stacks, and takes comments, empty lines, CRLF, a byte order mark and names with spaces", () => {
    const profile = collapsed("\ufeff# by a tool\r\n\r\nmain;a b 2\r\nmain;a b 3\r\nmain 1\r\n");
    expect(lines(foldStacks(sumStacks(profile), 0))).toEqual(["main 1", "main;a b 5"]);
  });

  it("keep names in another encoding as far as they can be read", () => {
    const text = Buffer.from(
      "tailor.bin;Schneider::n\xe4he;cut_the_cloth_along_the_line;stitch 5\n",
      "latin1",
    );
    expect(foldStacks(sumStacks(read(text)), 0)).toBe(
      "tailor.bin;Schneider::n\ufffdhe;cut_the_cloth_along_the_line;stitch 5\n",
    );
  });

  it.each(["[main tid=7];run;sort 5", "[unknown];main 5", "{closure};main 5"])("begins with %s", (line) => {
    expect(foldStacks(sumStacks(collapsed(`${line}\n`)), 0)).toBe(`${line}\n`);
  });

  it("takes the place in a frame of py-spy as its file and line", () => {
    const { frames } = sumStacks(collapsed("<module> (app/main.py:3);handle (app/views.py:41) 5\n"));
    expect(frames.functionName).toEqual(expect.arrayContaining(["<module>", "handle"]));
    const handle = frames.functionName.indexOf("handle");
    expect([frames.file[handle], frames.line[handle]]).toEqual(["app/views.py", 41]);
  });

  it("keeps values beyond 2^53 in sum", () => {
    const profile = collapsed(`a;b ${2 ** 53 - 1}\na;c ${2 ** 53 - 1}\n`);
    expect(profile.samples.values[0]).toEqual(BigInt64Array.of(2n ** 53n - 1n, 2n ** 53n - 1n));
  });

  it("names the line that has no value", () => {
    const text = `${"main;handle 12\n".repeat(100)}main;handle twelve\n`;
    expect(refusalOf(text)).toEqual({
      code: "invalid",
      message:
        'Line 101 of the collapsed stacks must end with a whole number of at most 9007199254740991, such as "main;handle 12".',
      field: "",
      offset: 1500,
    });
    expect(refusalOf(`${"main;handle 12\n".repeat(100)}main;handle 9007199254740993\n`).code).toBe("invalid");
  });

  it.each([
    "a;b 1.5",
    "main;foo -1",
    "a;b +2",
    "a;b .5",
    "a;b 1e9",
    "a;b 99999999999999999999",
    "a;b 1\nmain 2.5",
  ])("names the line of a value that is not accepted: %j", (text) => {
    const count = text.split("\n").length;
    for (const sent of [text, `${text}\n`, `${text}\nmain 1\n`])
      expect(refusalOf(sent)).toMatchObject({
        code: "invalid",
        message: expect.stringContaining(
          `Line ${count} of the collapsed stacks must end with a whole number`,
        ),
      });
  });

  it("has the limits of pprof, and cuts the leaves of a stack that is too deep", () => {
    const text = "a;b;c 1\na;b;d 2\n";
    expect(refusalOf(text, { ...defaultLimits, samples: 1 })).toMatchObject({
      code: "too_large",
      field: "samples",
    });
    expect(refusalOf(text, { ...defaultLimits, frames: 5 })).toMatchObject({ field: "frames" });
    expect(refusalOf(text, { ...defaultLimits, locations: 3 })).toMatchObject({ field: "locations" });
    const cut = read(Buffer.from(text), { ...defaultLimits, depth: 2 });
    expect(lines(foldStacks(sumStacks(cut), 0))).toEqual(["a;[truncated] 3"]);
    expect(cut.trimmed.depth).toBe(2);
    const deep = Buffer.from("a;b;c;d;e 1\na;b 1\n");
    expect(read(deep, { ...defaultLimits, depth: 2, locations: 4 }).trimmed.depth).toBe(1);
    const named = read(Buffer.from("main;checkout 1\n"), { ...defaultLimits, nameBytes: 7 });
    expect(foldStacks(sumStacks(named), 0)).toBe("main;heckout 1\n");
    expect(named.trimmed.names).toBe(1);
  });
});

describe("text profiles of Go", () => {
  const texts = readdirSync(new URL("text/", folder)).filter((name) => name.endsWith(".txt.gz"));

  it.each(texts)("%s has the values of the same profile as pprof", (name) => {
    const [text, pprof] = [name, name.replace(".txt.gz", ".pb.gz")].map((file) =>
      sumStacks(read(gunzipSync(readFileSync(new URL(`text/${file}`, folder))))),
    ) as [ReturnType<typeof sumStacks>, ReturnType<typeof sumStacks>];
    expect(text.sampleTypes).toEqual(pprof.sampleTypes);
    let compared = 0;
    for (const type of text.sampleTypes.keys()) {
      const [ofText, ofPprof] = [text, pprof].map((stacks) => {
        const { names, cum } = functionTotals(stacks, Float64Array.from(stacks.values[type]!, Number));
        // Names in texts lack the types of generic functions.
        return new Map(names.map((function_, at) => [withoutShapes(function_), cum[at]]));
      }) as [Map<string, number>, Map<string, number>];
      for (const [function_, total] of ofText) {
        // The text leaves out functions of the runtime at the leaf, which may be the only call of them.
        if (function_.startsWith("runtime.")) continue;
        expect([function_, total]).toEqual([function_, ofPprof.get(function_)]);
        compared++;
      }
      expect(totalOf(text.values[type]!)).toBe(totalOf(pprof.values[type]!));
    }
    expect(compared).toBeGreaterThan(1);
  });

  it("has files, lines, the period and the type", () => {
    const profile = read(gunzipSync(readFileSync(new URL("text/heap.txt.gz", folder))));
    expect([profile.period, profile.periodType, profile.defaultSampleType]).toEqual([
      4096n,
      { type: "space", unit: "bytes" },
      "inuse_space",
    ]);
    expect(profileTypeOf(profile)).toBe("memory");
    const { frames } = sumStacks(profile);
    const at = frames.functionName.indexOf("main.keep");
    expect([frames.file[at], frames.line[at]! > 0]).toEqual(["record/main.go", true]);
  });

  it("has the labels of goroutines", () => {
    const read = readLabelledStacks(gunzipSync(readFileSync(new URL("text/goroutine.txt.gz", folder))));
    if (!read.ok) throw new Error(read.error.message);
    const { labels } = read.profile;
    expect(labels).toMatchObject({ labels: [{ key: "endpoint", value: "/checkout" }] });
  });

  const goroutine = (value: string, labels: string) =>
    `goroutine profile: total 1\n${value} @ 0x1\n# labels: ${labels}\n#\t0x1\tmain.main+0x1\tmain.go:7\n`;

  it("has of hostile labels those that are texts", () => {
    const read = readLabelledStacks(
      Buffer.from(goroutine("1", '{"a":null,"b":{"c":1},"d":"kept","__proto__":7}')),
    );
    if (!read.ok) throw new Error(read.error.message);
    expect(read.profile.labels).toMatchObject({ labels: [{ key: "d", value: "kept" }] });
    const more = goroutine("1", '{"a":"1","b":"2"}');
    expect(refusalOf(more, { ...defaultLimits, labels: 1 })).toMatchObject({ field: "labels" });
  });

  it.each([
    ["a value of 20 digits", goroutine("9".repeat(20), "{}")],
    ["a value of 400 digits", goroutine("9".repeat(400), "{}")],
    [
      "a sampling rate of 400 digits",
      `heap profile: 1: 8 [1: 8] @ heap/${"9".repeat(400)}\n1: 8 [1: 8] @ 0x1\n`,
    ],
    ["no cycles in a second", "--- mutex:\ncycles/second=0\n5 1 @ 0x1\n#\t0x1\tmain.main+0x1\tmain.go:7\n"],
  ])("is refused with %s", (_, text) => {
    expect(refusalOf(text)).toMatchObject({ code: "invalid", message: expect.stringContaining("64 bits") });
  });

  it.each([
    ["addresses", `1 @${" 0x1".repeat(2 ** 20)}`],
    ["columns", `#\t0x1${"\t".repeat(2 ** 21)}`],
    ["lists in labels", `# labels: {"a":${"[".repeat(2 ** 21)}}`],
  ])("is refused with a line of a million %s", (_, line) => {
    const error = refusalOf(`${goroutine("1", "{}")}${line}\n`);
    expect(error).toMatchObject({
      code: "invalid",
      message: expect.stringContaining("a line with more than"),
    });
  });

  it("names functions without a name by their address", () => {
    const text = readFileSync(new URL("formats/go_text.threadcreate.txt", folder));
    expect(foldStacks(sumStacks(read(text)), 0)).toBe("0x0 4\n");
  });

  it("has addresses where it has no functions", () => {
    const text = "heap profile: 1: 8 [1: 8] @ heap/2\n1: 8 [1: 8] @ 0x47d8c5 0x41e4c5\n";
    expect(foldStacks(sumStacks(read(Buffer.from(text))), 0)).toBe("0x41e4c4;0x47d8c4 1\n");
  });
});
