import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { profileTypeOf } from "#describe/profile-type.ts";
import { defaultLimits } from "#model/limits.ts";
import { readProfile } from "#read/read-profile.ts";
import { foldStacks } from "#stacks/combine-stacks.ts";
import { sumStacks } from "#stacks/sum-stacks.ts";
import { labelledSamples } from "../testing/labelled-samples.ts";

const folder = new URL("../fixtures/dumps/", import.meta.url);
const file = (name: string) => readFileSync(new URL(name, folder));

function read(bytes: Uint8Array | string, limits = defaultLimits) {
  const result = readProfile(Buffer.from(bytes), limits);
  if (!result.ok) throw new Error(result.error.message);
  return result.profile;
}

const folded = (bytes: Uint8Array | string) => foldStacks(sumStacks(read(bytes)), 0);
const sorted = (text: string) => text.trim().split("\n").sort();

describe("a goroutine dump", () => {
  it("has the goroutines of the same profile as pprof", () => {
    const dump = read(file("goroutines.go1.27.txt"));
    expect(profileTypeOf(dump)).toBe("goroutine");
    // The text has no functions of the runtime at leaf and root, so that only the functions between them are compared.
    const entries = (lines: string) =>
      sorted(lines.replaceAll(/^runtime\.main;/gm, ""))
        .map((line) => line.replace(/[; ].* /, " "))
        .sort();
    expect(entries(foldStacks(sumStacks(dump), 0))).toEqual(
      entries(folded(gunzipSync(file("goroutines.go1.27.pb.gz")))),
    );
    expect(dump.samples.length).toBe(11);
  });

  it("has states, creators and labels of Go 1.27 as labels", () => {
    const samples = labelledSamples(read(file("goroutines.go1.27.txt")));
    const labels = { route: "/checkout", "user name": 'Zoë "q", {x}: y\n' };
    expect(samples).toContainEqual({
      stack: "main.worker",
      labels: { state: "select", created_by: "main.main.func1", ...labels },
    });
    expect(samples).toContainEqual({
      stack: "main.(*T).Run;time.Sleep",
      labels: { state: "sleep", created_by: "main.main.func1", ...labels },
    });
    expect(samples).toContainEqual({
      stack: "main.main.func4;main.park",
      labels: { state: "chan receive", locked_to_thread: "true", created_by: "main.main" },
    });
  });

  it("is read out of a panic, with registers of pointers in its headers", () => {
    const samples = labelledSamples(read(file("panic.go1.27.txt")));
    expect(samples.length).toBe(16);
    expect(samples[0]).toEqual({ stack: "runtime.main;main.main;panic", labels: { state: "running" } });
    expect(samples.map(({ stack }) => stack).join()).not.toContain("goexit");
  });

  const stack = "main.f(0x1)\n\t/srv/main.go:7 +0x24\n";

  it.each([
    ["goroutine 7 [chan receive, 5 minutes]:", { state: "chan receive", wait_minutes: "5" }],
    [
      "goroutine 7 [select (no cases), 12 minutes, locked to thread]:",
      { state: "select (no cases)", wait_minutes: "12", locked_to_thread: "true" },
    ],
    ['goroutine 7 [select, 2 minutes labels:{"a": "b"}]:', { state: "select", wait_minutes: "2", a: "b" }],
    [
      'goroutine 7 [runnable (scan)] {a: , "\\x41\\U0001f600": 1/2}:',
      { state: "runnable", a: "", "A😀": "1/2" },
    ],
    ["goroutine 7 [chan receive (leaked), synctest bubble 3]:", { state: "chan receive (leaked)" }],
    ["goroutine 7 [new state] something {a: b", { state: "new state", a: "b" }],
    ["goroutine 7 [cut", { state: "cut" }],
    ['goroutine 7 [x] {__proto__: y, "a', { state: "x", ["__proto__"]: "y" }],
  ])("has a header such as %s", (header, labels) => {
    const [sample] = labelledSamples(read(`${header}\n${stack}`));
    expect(sample).toEqual({ stack: "main.f", labels });
  });

  it("has functions without a place, of C, of ancestors and of elided frames as Go means them", () => {
    const text = `panic: x

goroutine 1 [running]:
non-Go function
\tpc=0x47ec79
c_sleep
\tC:/shop/c.c:12 pc=0x47ec79
main.(*T[...]).run({0x1, 0x2}, 0x3?)
\t/srv/a b/main.go:33 +0x24 fp=0x1 sp=0x2 pc=0x3
...additional frames elided...
created by main.start in goroutine 3
\t/srv/main.go:9 +0x1
[originating from goroutine 3]:
main.start(...)
\t/srv/main.go:9 +0x1

goroutine 2 [running]:
\tgoroutine running on other thread; stack unavailable
created by main.start
\t/srv/main.go:9 +0x1
exit status 2
`;
    const profile = read(text);
    expect(labelledSamples(profile)).toEqual([
      {
        stack: "[truncated];main.(*T[...]).run;c_sleep;non-Go function",
        labels: { state: "running", created_by: "main.start" },
      },
      { stack: "", labels: { state: "running", created_by: "main.start" } },
    ]);
    const { frames } = sumStacks(profile);
    expect(frames.functionName.map((name, at) => `${name} ${frames.file[at]}:${frames.line[at]}`)).toEqual(
      expect.arrayContaining(["c_sleep C:/shop/c.c:12", "main.(*T[...]).run /srv/a b/main.go:33"]),
    );
  });

  it("has the limits of pprof", () => {
    const text = `goroutine 1 [running] {a: b, c: d}:\n${stack.repeat(5)}`;
    expect(read(text, { ...defaultLimits, depth: 2 }).trimmed.depth).toBe(1);
    expect(read(text, { ...defaultLimits, labelsPerSample: 1 }).trimmed.labels).toBe(2);
    // Further labels are not looked at.
    const labelled = text.replace("}", ", e: f, g: h, i: j}");
    expect(read(labelled, { ...defaultLimits, labelsPerSample: 1 }).trimmed.labels).toBe(2);
    const many = readProfile(Buffer.from(`${text}\n${text}`), { ...defaultLimits, samples: 1 });
    expect(many).toMatchObject({ ok: false, error: { code: "too_large", field: "samples" } });
  });

  it.each([
    ["labels", `goroutine 1 [running] {${"a: b, ".repeat(20_000)}c: d}:`],
    ["facts", `goroutine 1 [running${", x".repeat(40_000)}]:`],
  ])("is refused with a header of endless %s", (_, header) => {
    const result = readProfile(Buffer.from(`${`goroutine 2 [running]:\n${stack}`}\n${header}\n${stack}`));
    expect(result).toMatchObject({ ok: false, error: { code: "invalid", field: "line", offset: 58 } });
  });
});
