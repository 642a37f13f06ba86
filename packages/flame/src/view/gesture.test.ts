import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Contact,
  contactDown,
  contactMoved,
  contactUp,
  type Gesture,
  idle,
  type Motion,
} from "./gesture.ts";
import { panBy, type Viewport, zoomAt } from "./viewport.ts";

const finger = (id: number, x: number, y = 100): Contact => ({ id, x, y });

/** Runs contacts through the model and collects what the picture does. */
function run(start: Gesture, moves: readonly Contact[]): { gesture: Gesture; motions: Motion[] } {
  let gesture = start;
  const motions: Motion[] = [];
  for (const contact of moves) {
    const next = contactMoved(gesture, contact);
    gesture = next.gesture;
    if (next.motion !== null) motions.push(next.motion);
  }
  return { gesture, motions };
}

const press = contactDown(idle, finger(1, 50));
const pinch = contactDown(press, finger(2, 150));

describe("one contact", () => {
  it("that moves by a few pixels and lifts is a tap", () => {
    const { gesture, motions } = run(press, [finger(1, 53), finger(1, 47)]);
    expect(motions).toEqual([]);
    expect(contactUp(gesture, 1)).toEqual({ gesture: idle, isTap: true });
  });

  it("that moves farther pans the graph and does not tap", () => {
    const { gesture, motions } = run(press, [finger(1, 60), finger(1, 40)]);
    expect(motions.map(({ panPx, factor, scrollPx }) => [panPx, factor, scrollPx])).toEqual([
      [-10, 1, 0],
      [20, 1, 0],
    ]);
    expect(contactUp(gesture, 1)).toEqual({ gesture: idle, isTap: false });
  });

  it("that only passes over does nothing", () => {
    expect(contactMoved(idle, finger(1, 60))).toEqual({ gesture: idle, motion: null });
    expect(contactUp(idle, 1)).toEqual({ gesture: idle, isTap: false });
  });
});

describe("two contacts", () => {
  it("that move apart zoom around their midpoint", () => {
    const { motions } = run(pinch, [finger(2, 250)]);
    expect(motions).toEqual([{ factor: 2, atPx: 100, panPx: -50, scrollPx: 0 }]);
  });

  it("that move together pan in both directions", () => {
    const { motions } = run(pinch, [finger(1, 20, 60), finger(2, 120, 60)]);
    const sum = (key: "panPx" | "scrollPx") => motions.reduce((all, motion) => all + motion[key], 0);
    expect([sum("panPx"), sum("scrollPx")]).toEqual([30, 40]);
    expect(motions.reduce((all, { factor }) => all * factor, 1)).toBeCloseTo(1);
  });

  it("that meet in one point keep the zoom finite", () => {
    const { motions } = run(pinch, [finger(2, 50), finger(2, 51), finger(2, 50)]);
    expect(motions.map(({ factor }) => factor)).toEqual([24 / 100, 1, 1]);
  });

  it("continue as a drag without a jump when one lifts, and do not tap", () => {
    const lifted = contactUp(pinch, 1);
    expect(lifted).toEqual({ gesture: { kind: "drag", at: finger(2, 150) }, isTap: false });
    expect(run(lifted.gesture, [finger(2, 151)]).motions).toMatchObject([{ panPx: -1 }]);
    expect(contactUp(lifted.gesture, 2)).toEqual({ gesture: idle, isTap: false });
  });

  it("ignore a third contact", () => {
    expect(contactDown(pinch, finger(3, 300))).toBe(pinch);
    expect(contactUp(pinch, 3)).toEqual({ gesture: pinch, isTap: false });
  });

  it("keep the touched points under the fingers while these are apart", () => {
    const widthPx = 390;
    // So wide that no move ends at its edges.
    const whole: Viewport = { from: -1e5, to: 1e5 };
    const place = fc.integer({ min: 0, max: widthPx });
    const apart = fc.tuple(place, place).filter(([a, b]) => b - a >= 24);
    let seen = 0;
    fc.assert(
      fc.property(apart, apart, ([a, b], [toA, toB]) => {
        const start: Viewport = { from: 400, to: 500 };
        const valueAt = (view: Viewport, x: number) => view.from + ((view.to - view.from) * x) / widthPx;
        let gesture = contactDown(contactDown(idle, finger(1, a)), finger(2, b));
        let view = start;
        // The nearer finger first, so that they never cross.
        for (const contact of toA < a ? [finger(1, toA), finger(2, toB)] : [finger(2, toB), finger(1, toA)]) {
          const next = contactMoved(gesture, contact);
          gesture = next.gesture;
          if (next.motion === null) continue;
          const { atPx, factor, panPx } = next.motion;
          view = panBy(zoomAt(view, whole, atPx / widthPx, factor), whole, panPx / widthPx);
        }
        if (toB - a < 24 || b - toA < 24) return;
        seen++;
        expect(valueAt(view, toA)).toBeCloseTo(valueAt(start, a), 6);
        expect(valueAt(view, toB)).toBeCloseTo(valueAt(start, b), 6);
      }),
    );
    expect(seen).toBeGreaterThan(10);
  });
});
