import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "#store/testing/backends.ts";
import { StoreRefused } from "#store/unavailable.ts";
import { DoubtfulHours, formerDoubtfulHours, removeFormerHours, type SeriesHour } from "./doubtful-hours.ts";

const orgId = "6f9619ff-8b86-4011-b42d-00c04fc964ff";
const hour = (service: string, number = 0): SeriesHour => ({ orgId, service, hourSeconds: number * 3600 });

describe("hours whose roll-ups may lack rows", () => {
  it("are those of an insert that failed, whichever succeed after it, until they are counted again", async () => {
    const hours = new DoubtfulHours([hour("former")]);
    await hours.during([hour("a")], async () => {});
    await expect(
      hours.during([hour("a"), hour("b", 1)], () => Promise.reject(new Error("killed"))),
    ).rejects.toThrow("killed");
    await hours.during([hour("a")], async () => {});
    hours.mark([hour("b", 1), hour("c")]);
    expect(hours.list()).toEqual([hour("former"), hour("a"), hour("b", 1), hour("c")]);
    hours.settle([hour("former"), hour("b", 1), hour("other")]);
    expect(hours.list()).toEqual([hour("a"), hour("c")]);
  });
});

describe("the file of an earlier version", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());
  const write = (text: string) => writeFileSync(join(folder.path, "columns-open"), text);

  it("names the hours that were being written, except a line that was cut off", async () => {
    expect(await formerDoubtfulHours(folder.path)).toEqual([]);
    write(`["${orgId}","a",0]\n["${orgId}","b",3600]\n["${orgId}","c`);
    expect(await formerDoubtfulHours(folder.path)).toEqual([hour("a"), hour("b", 1)]);
    await removeFormerHours(folder.path);
    expect(await formerDoubtfulHours(folder.path)).toEqual([]);
  });

  it("is refused with its path and the line if it is damaged", async () => {
    write(`["${orgId}","a",0]\nnothing\n`);
    await expect(formerDoubtfulHours(folder.path)).rejects.toThrow(StoreRefused);
    await expect(formerDoubtfulHours(folder.path)).rejects.toThrow(/columns-open is damaged in line 2/);
  });
});
