import { describe, expect, it } from "vitest";
import { layOut } from "#tree/lay-out.ts";
import { compared } from "../testing/index.ts";
import {
  changeLegend,
  changePalette,
  changeStep,
  largestSelfChange,
  selfChangeColours,
  selfChangeStep,
} from "./change.ts";
import { fromHex, luminance, type Rgb } from "./oklch.ts";
import { inkOn } from "./scheme.ts";

const themes = ["light", "dark"] as const;

/** Sight without red or without green cones, after Viénot, Brettel and Mollon (1999), in linear light. */
const blindness: Record<string, readonly (readonly [number, number, number])[]> = {
  protanopia: [
    [0.11238, 0.88762, 0],
    [0.11238, 0.88762, 0],
    [0.00401, -0.00401, 1],
  ],
  deuteranopia: [
    [0.29275, 0.70725, 0],
    [0.29275, 0.70725, 0],
    [-0.02234, 0.02234, 1],
  ],
};

function seen(rgb: Rgb, matrix: readonly (readonly [number, number, number])[]): number[] {
  const linear = rgb.map((part) => (part / 255) ** 2.2);
  return matrix.map(
    (row) => Math.max(0, row[0] * linear[0] + row[1] * linear[1] + row[2] * linear[2]) ** (1 / 2.2),
  );
}

describe("the colours of changes", () => {
  it("name the middle, both ends and the steps by ratio", () => {
    const step = (before: number, after: number) => changeLegend("light")[changeStep(before, after)].label;
    expect([
      step(10, 0),
      step(10, 5),
      step(10, 8),
      step(10, 9.5),
      step(10, 10),
      step(10, 10.5),
      step(10, 12.5),
      step(10, 20),
      step(0, 1),
    ]).toEqual(["gone", "−50%", "−20%", "−5%", "same", "+5%", "+25%", "+100%", "new"]);
    expect([step(0, 0), step(-3, 0), step(10, 10.4), step(10, 19.9)]).toEqual([
      "same",
      "same",
      "same",
      "+25%",
    ]);
  });

  it("burn where self values changed, in parts of the largest change, and leave the rest grey", () => {
    expect([0, 1, 2, 10, 25, 50, 100].map((change) => selfChangeStep(change, 100))).toEqual([
      4, 4, 5, 6, 7, 8, 8,
    ]);
    expect([-1, -2, -10, -25, -100].map((change) => selfChangeStep(change, 100))).toEqual([4, 3, 2, 1, 0]);
    expect(selfChangeStep(0, 0)).toBe(4);
  });

  it("of self values are grey in callers, however much their totals changed", () => {
    const tree = layOut(
      compared("main;serve;hash 100\nmain;log 50", "main;serve;hash 300\nmain;log 20"),
      [1, 1],
    );
    const stepOf = selfChangeColours(tree, "cpu");
    const steps = Object.fromEntries(
      Array.from({ length: tree.length }, (_, node) => [tree.functions.name[tree.fn[node]!], stepOf(node)]),
    );
    expect(steps).toEqual({ root: 4, main: 4, serve: 4, hash: 8, log: 2 });
    expect(largestSelfChange(tree, "cpu")).toBe(200);
  });

  it("of waits burn at the function that waits", () => {
    const tree = layOut(
      compared("main;ask;runtime.chansend;runtime.gopark 2", "main;ask;runtime.chansend;runtime.gopark 9"),
      [1, 1],
    );
    const burning = (type: string) => {
      const stepOf = selfChangeColours(tree, type);
      return tree.functions.name.filter((_, fn) => stepOf(tree.fn.indexOf(fn)) !== 4);
    };
    expect(burning("goroutine")).toEqual(["ask"]);
    expect(burning("cpu")).toEqual(["runtime.gopark"]);
  });

  it.each(themes)("%s: all differ, with ink of at least 4.5:1", (theme) => {
    const palette = changePalette(theme);
    expect(new Set(palette).size).toBe(9);
    for (const colour of palette) {
      const [a, b] = [luminance(fromHex(colour)), luminance(fromHex(inkOn(colour)))];
      expect((Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)).toBeGreaterThanOrEqual(4.5);
    }
  });

  it.each(themes.flatMap((theme) => Object.keys(blindness).map((kind) => [theme, kind] as const)))(
    "%s: less and more differ with %s",
    (theme, kind) => {
      const palette = changePalette(theme).map((colour) => seen(fromHex(colour), blindness[kind]));
      for (let distance = 1; distance <= 4; distance++) {
        const [less, more] = [palette[4 - distance], palette[4 + distance]];
        const apart = Math.hypot(...less.map((part, at) => part - more[at]));
        expect(apart).toBeGreaterThan(0.08 + 0.06 * distance);
      }
    },
  );
});
