import { describe, expect, it } from "vitest";
import { defaultLimits } from "#model/limits.ts";
import { StackLines } from "#write/stack-lines.ts";
import { FirefoxFrames, libraryAt } from "./firefox-frames.ts";

describe("libraries of Firefox profiles", () => {
  const libraries = Array.from({ length: 4096 }, (_, at) => ({
    start: 16 * at + 4,
    end: 16 * at + 12,
    name: `lib${at}`,
  }));

  it("are found by an address in a few steps", () => {
    let reads = 0;
    const counted = new Proxy(libraries, {
      get: (list, key) => {
        if (key !== "length") reads++;
        return Reflect.get(list, key) as unknown;
      },
    });
    const places = [0, 3, 4, 11, 12, 16 * 4095 + 11, 16 * 4095 + 12, 1e9];
    expect(places.map((address) => libraryAt(counted, address)?.name)).toEqual([
      undefined,
      undefined,
      "lib0",
      "lib0",
      undefined,
      "lib4095",
      undefined,
      undefined,
    ]);
    expect(reads).toBeGreaterThan(places.length);
    expect(reads).toBeLessThanOrEqual(14 * places.length);
  });

  const tables = {
    frameTable: { schema: { location: 0 }, data: [[0], [1], [2]] },
    stringTable: ["0x25", "0x15", "0x1c"],
  };

  it("come in any order, and are read once for all threads", () => {
    let reads = 0;
    const counted = libraries.slice(0, 4).map(({ name, ...addresses }) => ({
      ...addresses,
      get name() {
        reads++;
        return name;
      },
    }));
    const libs = [{ name: "no address" }, ...counted.reverse()];
    const stacks = new StackLines(1, defaultLimits);
    for (let thread = 0; thread < 3; thread++) {
      const frames = new FirefoxFrames({ ...tables }, { libs }, stacks, defaultLimits);
      expect([0, 1, 2].map((row) => stacks.nameOf(frames.at(row)))).toEqual(["lib2!0x1", "lib1!0x1", "0x1c"]);
    }
    expect(reads).toBe(4);
  });

  it("are refused beyond the limit of mappings", () => {
    const stacks = new StackLines(1, defaultLimits);
    const limits = { ...defaultLimits, mappings: 2 };
    const framesOf = (count: number) =>
      new FirefoxFrames(tables, { libs: libraries.slice(0, count) }, stacks, limits);
    expect(stacks.nameOf(framesOf(2).at(1))).toBe("lib1!0x1");
    expect(() => framesOf(3)).toThrow("more than 2 libraries");
  });
});
