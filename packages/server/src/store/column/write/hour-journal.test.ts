import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, expect, it, vi } from "vitest";
import { temporaryFolder } from "#store/testing/backends.ts";
import { StoreRefused } from "#store/unavailable.ts";
import { HourJournal, type SeriesHour } from "./hour-journal.ts";

const orgId = "6f9619ff-8b86-4011-b42d-00c04fc964ff";
const hour = (service: string, number = 0): SeriesHour => ({ orgId, service, hourSeconds: number * 3600 });

let folder: ReturnType<typeof temporaryFolder>;
const folders: (typeof folder)[] = [];
beforeEach(() => {
  folder = temporaryFolder();
  folders.push(folder);
});
afterAll(() => Promise.all(folders.map((each) => each.remove())));

const file = () => join(folder.path, "columns-open");
const openHours = () => HourJournal.open(folder.path, join(folder.path, "columns"));
const insertOf = async () => {};
const failing = () => Promise.reject(new Error("killed"));

it("syncs the hours of an insert to disk before the insert begins", async () => {
  const hours = await openHours();
  let seen = "";
  await hours.during([hour("a"), hour("b", 1)], async () => {
    seen = readFileSync(file(), "utf8");
  });
  expect(seen).toBe(`["${orgId}","a",0]\n["${orgId}","b",3600]\n`);
});

it("writes nothing for an hour that the file names already", async () => {
  const hours = await openHours();
  await hours.during([hour("a")], insertOf);
  const before = readFileSync(file(), "utf8");
  await hours.during([hour("a")], insertOf);
  expect(readFileSync(file(), "utf8")).toBe(before);
});

it("reports hours left by a crash as doubtful until they are recounted", async () => {
  const crashed = await openHours();
  await crashed.during([hour("a"), hour("b")], insertOf);
  const next = await openHours();
  expect(next.doubtful()).toEqual([hour("a"), hour("b")]);
  expect((await openHours()).doubtful()).toEqual([hour("a"), hour("b")]);
  next.settle(next.doubtful());
  await next.close();
  expect((await openHours()).doubtful()).toEqual([]);
});

it("keeps the hours of a failed insert for the next start, even if another insert succeeds", async () => {
  const hours = await openHours();
  await expect(hours.during([hour("a")], failing)).rejects.toThrow("killed");
  await hours.during([hour("a"), hour("b")], insertOf);
  expect(hours.doubtful()).toEqual([hour("a")]);
  await hours.close();
  expect((await openHours()).doubtful()).toContainEqual(hour("a"));
});

it("keeps an hour in the file for longer than a backup may take to copy the rows", async () => {
  const startMs = performance.now();
  const clock = vi.spyOn(performance, "now").mockReturnValue(startMs);
  try {
    const hours = await openHours();
    await hours.during([hour("a")], async () => void clock.mockReturnValue(startMs + 2 * 60_000));
    clock.mockReturnValue(startMs + 15.5 * 60_000);
    await hours.during([hour("b")], insertOf);
    expect(readFileSync(file(), "utf8")).toBe(`["${orgId}","a",0]\n["${orgId}","b",0]\n`);
    clock.mockReturnValue(startMs + 40 * 60_000);
    await hours.during([hour("c")], insertOf);
    expect(readFileSync(file(), "utf8")).toBe(`["${orgId}","c",0]\n`);
  } finally {
    clock.mockRestore();
  }
});

it("leaves no file after an orderly stop", async () => {
  const hours = await openHours();
  await hours.during([hour("a")], insertOf);
  await hours.close();
  expect(() => readFileSync(file())).toThrow("ENOENT");
});

it("names the hours of inserts that run at the same time", async () => {
  const hours = await openHours();
  const services = Array.from({ length: 20 }, (_, number) => `s${number}`);
  const seen = new Map<string, string>();
  const insert = (service: string) => async () => void seen.set(service, readFileSync(file(), "utf8"));
  await Promise.all(services.map((service) => hours.during([hour(service)], insert(service))));
  expect(seen.size).toBe(20);
  for (const [service, text] of seen) expect(text).toContain(`"${service}"`);
});

it("ignores a last line that was cut off: its insert had not begun", async () => {
  const hours = await openHours();
  await hours.during([hour("a")], insertOf);
  appendFileSync(file(), `["${orgId}","b`);
  expect((await openHours()).doubtful()).toEqual([hour("a")]);
});

it("refuses a damaged file with the path and the line", async () => {
  writeFileSync(file(), `["${orgId}","a",0]\nnothing\n`);
  await expect(openHours()).rejects.toThrow(StoreRefused);
  await expect(openHours()).rejects.toThrow(/columns-open is damaged in line 2/);
});
