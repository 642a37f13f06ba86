import { expect, it } from "vitest";
import { collectGarbage, IdleWatch, PagesWatch } from "./tidy-when-idle.ts";

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

/** Runs the checks of a quarter of a minute. Returns whether one of them was due. */
function quarterMinute(watch: PagesWatch, cores: number, mappedBytes: number): boolean {
  return [1, 2, 3].map(() => watch.isDue(cores, () => mappedBytes)).includes(true);
}

it("releases the pages of the start once the process has been idle for a quarter of a minute", () => {
  const watch = new PagesWatch();
  expect(quarterMinute(watch, 0.5, 200 * MB)).toBe(false);
  expect([1, 2].map(() => watch.isDue(0.01, () => 200 * MB))).not.toContain(true);
  expect(watch.isDue(0.01, () => 200 * MB)).toBe(true);
});

it("releases pages again when an idle process has used many of them", () => {
  const watch = new PagesWatch();
  expect(quarterMinute(watch, 0, 200 * MB)).toBe(true);
  watch.noteReleased(10 * MB);
  expect(quarterMinute(watch, 0, 50 * MB)).toBe(false);
  expect(quarterMinute(watch, 0.1, 150 * MB)).toBe(false);
  expect(quarterMinute(watch, 0, 150 * MB)).toBe(true);
});

it("releases memory once after work, however few pages it used", () => {
  const watch = new PagesWatch();
  watch.noteReleased(10 * MB);
  expect(quarterMinute(watch, 0, 20 * MB)).toBe(false);
  expect(quarterMinute(watch, 0.5, 20 * MB)).toBe(false);
  expect(quarterMinute(watch, 0, 20 * MB)).toBe(true);
  watch.noteReleased(10 * MB);
  expect(quarterMinute(watch, 0, 20 * MB)).toBe(false);
});

it("releases pages after a job that used the CPU for a moment, but not meanwhile", () => {
  const watch = new PagesWatch();
  const use = [0.01, 0.01, 0.12, 0.01];
  expect(use.map((cores) => watch.isDue(cores, () => 200 * MB))).toEqual([false, false, false, true]);
});

it("does not repeat a release that left the pages where they are", () => {
  const watch = new PagesWatch();
  expect(quarterMinute(watch, 0, 200 * MB)).toBe(true);
  watch.noteReleased(200 * MB);
  expect(quarterMinute(watch, 0, 200 * MB)).toBe(false);
});

it("never looks at the pages of a busy process", () => {
  const watch = new PagesWatch();
  const looked = () => {
    throw new Error("looked");
  };
  expect([1, 2, 3, 4, 5, 6, 7, 8].map(() => watch.isDue(0.06, looked))).not.toContain(true);
});
