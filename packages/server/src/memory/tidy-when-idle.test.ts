import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { collectGarbage, IdleWatch, loadOf, PagesWatch } from "./tidy-when-idle.ts";

const MB = 1024 * 1024;

it("is due once after the process was busy", () => {
  const watch = new IdleWatch();
  const cores = [1, 0.1, 0.01, 0.01, 0.1, 0.01, 0.5, 0.06, 0.04, 0];
  expect(cores.map((used) => watch.isDue(used))).toEqual([
    ...[false, false, true, false, false],
    ...[false, false, false, true, false],
  ]);
});

it("collects nothing while tasks come every second", () => {
  const garbage = new IdleWatch();
  expect(garbage.isDue(loadOf(0.01, 900))).toBe(false);
  const pages = new PagesWatch();
  expect(quarterMinute(pages, loadOf(0.01, 900), 20 * MB)).toBeUndefined();
  expect(quarterMinute(pages, loadOf(0.01, 900), 200 * MB)).toBe("program pages");
  expect(garbage.isDue(loadOf(0.01, 6000))).toBe(true);
  expect(quarterMinute(pages, loadOf(0.01, 6000), 20 * MB)).toBe("all memory");
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

it("lets a heap grow by half before it is collected", () => {
  const module = new URL("tidy-when-idle.ts", import.meta.url).href;
  /** The size of a heap in which 40 MB stay and garbage is made, at its largest. */
  const largest = (before: string) => {
    const program = `${before}
      import { getHeapStatistics } from "node:v8";
      const kept = [];
      for (let at = 0; at < 400_000; at++) kept.push({ at, list: [at, at] });
      const recent = [];
      let most = 0;
      for (let round = 0; round < 1500; round++) {
        const made = [];
        for (let at = 0; at < 4000; at++) made.push({ at, list: [at] });
        recent[round % 60] = made;
        most = Math.max(most, getHeapStatistics().total_heap_size);
      }
      console.log(most, kept.length);`;
    const args = ["--single-threaded-gc", "--input-type=module", "-e", program];
    const { stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
    return Number.parseInt(stdout, 10);
  };
  const usual = largest("");
  const tidy = largest(`import { tidyWhenIdle } from ${JSON.stringify(module)}; tidyWhenIdle();`);
  expect(tidy).toBeGreaterThan(40_000_000);
  expect(tidy).toBeLessThan(0.85 * usual);
});

/** Runs the checks of a quarter of a minute. Returns what was due. */
function quarterMinute(watch: PagesWatch, cores: number, mappedBytes: number) {
  return [1, 2, 3].map(() => watch.isDue(cores, () => mappedBytes)).find((due) => due !== undefined);
}

it("releases the pages of the start once the process has been idle for a quarter of a minute", () => {
  const watch = new PagesWatch();
  expect(quarterMinute(watch, 0.5, 40 * MB)).toBeUndefined();
  expect([1, 2].map(() => watch.isDue(0.01, () => 40 * MB))).toEqual([undefined, undefined]);
  expect(watch.isDue(0.01, () => 40 * MB)).toBe("all memory");
});

it("releases pages again when an idle process has used many of them", () => {
  const watch = new PagesWatch();
  expect(quarterMinute(watch, 0, 200 * MB)).toBe("all memory");
  watch.noteReleased(10 * MB);
  expect(quarterMinute(watch, 0, 50 * MB)).toBeUndefined();
  expect(quarterMinute(watch, 0, 150 * MB)).toBe("all memory");
});

it("releases memory once after work, however few pages it used", () => {
  const watch = new PagesWatch();
  watch.noteReleased(10 * MB);
  expect(quarterMinute(watch, 0.5, 20 * MB)).toBeUndefined();
  expect(quarterMinute(watch, 0, 20 * MB)).toBe("all memory");
  watch.noteReleased(10 * MB);
  expect(quarterMinute(watch, 0, 20 * MB)).toBeUndefined();
});

it("releases pages after a job that used the CPU for a moment, but not meanwhile", () => {
  const watch = new PagesWatch();
  const use = [0.01, 0.01, 0.12, 0.01];
  expect(use.map((cores) => watch.isDue(cores, () => 20 * MB))).toEqual([
    ...[undefined, undefined, undefined],
    "all memory",
  ]);
});

it("does not repeat a release that left the pages where they are", () => {
  const watch = new PagesWatch();
  expect(quarterMinute(watch, 0, 200 * MB)).toBe("all memory");
  watch.noteReleased(200 * MB);
  expect(quarterMinute(watch, 0, 200 * MB)).toBeUndefined();
});

it("releases the pages of a busy process that has many, every quarter of a minute, and its garbage later", () => {
  const watch = new PagesWatch();
  expect(quarterMinute(watch, 1, 200 * MB)).toBe("program pages");
  watch.noteReleased(10 * MB, "program pages");
  expect([1, 2].map(() => watch.isDue(1, () => 150 * MB))).toEqual([undefined, undefined]);
  expect(watch.isDue(1, () => 150 * MB)).toBe("program pages");
  watch.noteReleased(10 * MB, "program pages");
  expect(quarterMinute(watch, 1, 50 * MB)).toBeUndefined();
  expect(quarterMinute(watch, 0, 20 * MB)).toBe("all memory");
});
