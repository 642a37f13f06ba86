import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { collectGarbage, IdleWatch, PagesWatch, unchangedParts } from "./tidy-when-idle.ts";

const MB = 1024 * 1024;

it("is due once after the process was busy", () => {
  const watch = new IdleWatch();
  const cores = [1, 0.1, 0.01, 0.01, 0.1, 0.01, 0.5, 0.06, 0.04, 0];
  expect(cores.map((used) => watch.isDue(used))).toEqual([
    ...[false, false, true, false, false],
    ...[false, false, false, true, false],
  ]);
});

it("frees what nothing refers to", () => {
  const bytesOf = () => process.memoryUsage().heapUsed;
  let lists: number[][] = Array.from({ length: 200 }, () =>
    Array.from({ length: 10_000 }, (_, at) => at + 0.5),
  );
  const before = bytesOf();
  expect(lists.length).toBe(200);
  lists = [];
  collectGarbage();
  expect(before - bytesOf()).toBeGreaterThan(10_000_000);
});

/** Runs the checks of half a minute. Returns whether one of them was due. */
function halfMinute(watch: PagesWatch, cores: number, mappedBytes: number): boolean {
  return [1, 2, 3, 4, 5, 6].map(() => watch.isDue(cores, () => mappedBytes)).includes(true);
}

it("releases the pages of the start once the process has been idle for half a minute", () => {
  const watch = new PagesWatch();
  expect(halfMinute(watch, 0.5, 200 * MB)).toBe(false);
  expect([1, 2, 3, 4, 5].map(() => watch.isDue(0.01, () => 200 * MB))).not.toContain(true);
  expect(watch.isDue(0.01, () => 200 * MB)).toBe(true);
});

it("releases pages again when an idle process has used many of them", () => {
  const watch = new PagesWatch();
  expect(halfMinute(watch, 0, 200 * MB)).toBe(true);
  watch.noteReleased(10 * MB);
  expect(halfMinute(watch, 0, 50 * MB)).toBe(false);
  expect(halfMinute(watch, 0.5, 150 * MB)).toBe(false);
  expect(halfMinute(watch, 0, 150 * MB)).toBe(true);
});

it("releases pages after a job that used the CPU for a moment, but not meanwhile", () => {
  const watch = new PagesWatch();
  const use = [0.01, 0.01, 0.01, 0.01, 0.01, 0.15, 0.01];
  expect(use.map((cores) => watch.isDue(cores, () => 200 * MB))).toEqual([
    ...[false, false, false, false, false],
    ...[false, true],
  ]);
});

it("does not repeat a release that left the pages where they are", () => {
  const watch = new PagesWatch();
  expect(halfMinute(watch, 0, 200 * MB)).toBe(true);
  watch.noteReleased(200 * MB);
  expect(halfMinute(watch, 0, 200 * MB)).toBe(false);
});

it("never looks at the pages of a busy process", () => {
  const watch = new PagesWatch();
  const looked = () => {
    throw new Error("looked");
  };
  expect([1, 2, 3, 4, 5, 6, 7, 8].map(() => watch.isDue(0.06, looked))).not.toContain(true);
});

function entry(header: string, fields: { Rss: number; Anonymous: number }): string {
  const lines = Object.entries(fields).map(([name, kib]) => `${name}: ${String(kib).padStart(10)} kB\n`);
  return `${header}\n${lines.join("")}VmFlags: rd ex mr mw me sd\n`;
}

const code = "7f0000000000-7f0000400000 r-xp 00001000 fe:00 12                         /opt/lib/engine.so";

it("finds code and constants of files", () => {
  const constants = "7f0000400000-7f0000600000 r--p 00401000 fe:00 12    /opt/a name with spaces.so";
  const smaps = entry(code, { Rss: 2048, Anonymous: 0 }) + entry(constants, { Rss: 2048, Anonymous: 0 });
  expect(unchangedParts(smaps)).toEqual([
    { address: 0x7f0000000000n, bytes: 0x400000n },
    { address: 0x7f0000400000n, bytes: 0x200000n },
  ]);
});

it.each([
  ["part that was changed", code, { Rss: 2048, Anonymous: 4 }],
  ["part that is small in memory", code, { Rss: 1020, Anonymous: 0 }],
  ["part that can be written", code.replace("r-xp", "rw-p"), { Rss: 2048, Anonymous: 0 }],
  ["file that processes share", code.replace("r-xp", "r--s"), { Rss: 2048, Anonymous: 0 }],
  ["memory without a file", code.replace("/opt/lib/engine.so", ""), { Rss: 2048, Anonymous: 0 }],
  ["part of the kernel", code.replace("/opt/lib/engine.so", "[vdso]"), { Rss: 2048, Anonymous: 0 }],
])("leaves out a %s", (_what, header, fields) => {
  expect(unchangedParts(entry(header, fields))).toEqual([]);
});

it("leaves out a part if the system does not tell whether it was changed", () => {
  expect(unchangedParts(`${code}\nRss:     2048 kB\n`)).toEqual([]);
});

it.runIf(process.platform === "linux")("gives memory back, and the process goes on", async () => {
  const module = new URL("./tidy-when-idle.ts", import.meta.url).href;
  const program = `
    const { mappedFileBytes, releaseProgramPages, trimAllocator } = await import(${JSON.stringify(module)});
    const before = mappedFileBytes();
    await trimAllocator();
    await releaseProgramPages();
    const after = mappedFileBytes();
    console.log(JSON.stringify({ before, after, answer: [3, 1, 2].sort().join() }));`;
  const flags = ["--disable-warning=ExperimentalWarning", "--input-type=module", "--eval", program];
  const { stdout } = await promisify(execFile)(process.execPath, flags);
  const { before, after, answer } = JSON.parse(stdout) as { before: number; after: number; answer: string };
  expect(before - after).toBeGreaterThan(10_000_000);
  expect(answer).toBe("1,2,3");
});
