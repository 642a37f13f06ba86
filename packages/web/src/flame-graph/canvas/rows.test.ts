import { rowHeight, topPadding } from "@flamekeep/flame";
import { describe, expect, it } from "vitest";
import { levelAt, levelsInView, rowY } from "./rows.ts";

describe.each(["down", "up"] as const)("rows that grow %s", (direction) => {
  const rows = { direction, focusLevel: 2 };

  it("are found where they are drawn, however far the drawing is scrolled", () => {
    for (const scrollTop of [0, 7, 300])
      for (let level = 2; level < 40; level++) {
        const area = { scrollTop, contentPx: 1000 };
        const y = rowY(rows, area, level);
        expect([levelAt(rows, area, y + 1), levelAt(rows, area, y + rowHeight - 1)]).toEqual([level, level]);
      }
  });

  it("are listed where some of them is in view", () => {
    const area = { scrollTop: 100, contentPx: 2000 };
    const { firstRow, lastRow } = levelsInView(rows, area, 400);
    for (let level = 2; level < 80; level++) {
      const y = rowY(rows, area, level);
      if (y < 400 && y + rowHeight > 0) expect(level >= firstRow && level <= lastRow).toBe(true);
    }
    expect(lastRow - firstRow).toBeLessThan(400 / rowHeight + 3);
  });
});

it("the first row is at the top, and at the bottom where callers grow upwards", () => {
  const area = { scrollTop: 0, contentPx: 500 };
  expect(rowY({ direction: "down", focusLevel: 1 }, area, 1)).toBe(topPadding);
  expect(rowY({ direction: "up", focusLevel: 1 }, area, 1)).toBe(500 - rowHeight);
});
