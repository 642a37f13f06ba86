import fc from "fast-check";
import { expect, test } from "vitest";
import { ByteBudget, type Reservation } from "./budget.ts";

test("never reserves more than its size, and releases everything once", () => {
  const budget = new ByteBudget(100);
  const first = budget.reserve("a", 60);
  expect(budget.reserve("b", 41)).toBeUndefined();
  expect(first?.grow(40)).toBe(true);
  expect(first?.grow(1)).toBe(false);
  expect(budget.usedBytes).toBe(100);
  first?.coverAtLeast(120);
  expect(budget.usedBytes).toBe(120);
  first?.release();
  first?.release();
  expect(budget.usedBytes).toBe(0);
});

test("knows the age of the oldest upload that is not released", () => {
  const budget = new ByteBudget(100);
  expect(budget.oldestSeconds).toBe(0);
  const [first, second] = [budget.reserve("a", 1), budget.reserve("b", 1)];
  const later = performance.now() + 5000;
  expect(first!.ageSeconds(later)).toBeGreaterThanOrEqual(second!.ageSeconds(later));
  expect(budget.oldestSeconds).toBeGreaterThanOrEqual(0);
  first?.release();
  expect(budget.oldestSeconds).toBeLessThanOrEqual(second!.ageSeconds());
  second?.release();
  expect(budget.oldestSeconds).toBe(0);
});

test("an upload without a length may use the whole queue if it is alone", () => {
  const budget = new ByteBudget(1000);
  const alone = budget.reserve("a", 100);
  for (let taken = 100; taken < 1000; taken += 100) expect(alone?.grow(100)).toBe(true);
  alone?.release();
  const [one, other] = [budget.reserve("a", 100), budget.reserve("a", 100)];
  let grown = 0;
  while (one?.grow(100)) grown += 100;
  expect(grown).toBe(600);
  other?.release();
  expect(one?.grow(300)).toBe(true);
});

test("a reservation releases all that was added to it, once", () => {
  const reservation = new ByteBudget(1000).reserve("a", 100)!;
  const released: string[] = [];
  for (const name of ["bytes", "room"]) reservation.onRelease(() => released.push(name));
  reservation.release();
  reservation.release();
  expect(released).toEqual(["bytes", "room"]);
});

test("one upload may take all of an empty one, many of one organization leave a fifth to others", () => {
  const budget = new ByteBudget(1000);
  const whole = budget.reserve("a", 1000);
  expect(whole).toBeDefined();
  whole?.release();
  let held = 0;
  while (budget.reserve("a", 10) !== undefined) held += 10;
  expect(held).toBe(800);
  expect(budget.reserve("b", 100)).toBeDefined();
});

test("an organization without uploads is admitted with a small one, however much others use", () => {
  const step = fc.record({ org: fc.constantFrom("a", "b", "c"), bytes: fc.integer({ min: 8, max: 300 }) });
  let refused = 0;
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const budget = new ByteBudget(1000);
      const held: Reservation[] = [];
      for (const { org, bytes } of steps) {
        const reservation = budget.reserve(org, bytes);
        if (reservation === undefined) refused++;
        else held.push(reservation);
      }
      expect(budget.usedBytes).toBeLessThanOrEqual(1000);
      expect(budget.reserve("new", 1)).toBeDefined();
      for (const reservation of held) reservation.release();
      expect(budget.usedBytes).toBe(1);
    }),
  );
  expect(refused).toBeGreaterThan(0);
});
