import { describe, expect, it } from "vitest";
import { draggedSpan, type Grip } from "./use-selection.ts";

const buckets = { timesMs: [0, 10, 20, 30, 40, 50], bucketMs: 10 };
const span = { fromMs: 22, toMs: 37 };

function dragged(grip: Grip, startMs: number, atMs: number) {
  const { fromMs, toMs } = draggedSpan(span, { grip, startMs, atMs }, buckets);
  return `${fromMs}-${toMs}`;
}

describe("a selection that is dragged", () => {
  it("at an end has that end at the nearest edge of a bucket, and the other where it was", () => {
    expect(dragged("from", 22, 14)).toBe("10-37");
    expect(dragged("from", 22, -5)).toBe("0-37");
    expect(dragged("to", 37, 51)).toBe("22-50");
    expect(dragged("to", 37, 99)).toBe("22-60");
  });

  it("at an end moves through buckets without values", () => {
    const sparse = { timesMs: [0, 50], bucketMs: 10 };
    expect(draggedSpan(span, { grip: "from", startMs: 22, atMs: 31 }, sparse)).toEqual({
      fromMs: 30,
      toMs: 37,
    });
  });

  it("stays as it is where it would be empty", () => {
    expect(draggedSpan({ fromMs: 22, toMs: 40 }, { grip: "from", startMs: 22, atMs: 41 }, buckets)).toEqual({
      fromMs: 22,
      toMs: 40,
    });
  });

  it("at an end beyond the other one is on the other side of it", () => {
    expect(dragged("from", 22, 45)).toBe("37-50");
    expect(dragged("to", 37, 4)).toBe("0-22");
  });

  it("as a whole keeps its length, moves by whole buckets and stays in the chart", () => {
    expect(dragged("move", 30, 34)).toBe("22-37");
    expect(dragged("move", 30, 36)).toBe("32-47");
    expect(dragged("move", 30, 12)).toBe("2-17");
    expect(dragged("move", 30, -40)).toBe("0-15");
    expect(dragged("move", 30, 99)).toBe("45-60");
  });

  it("stays where it is if it reaches over an end of the chart", () => {
    const wide = { fromMs: -5, toMs: 30 };
    const moved = (atMs: number) => draggedSpan(wide, { grip: "move", startMs: 0, atMs }, buckets);
    expect(moved(-20)).toEqual(wide);
    expect(moved(20)).toEqual({ fromMs: 15, toMs: 50 });
  });
});
