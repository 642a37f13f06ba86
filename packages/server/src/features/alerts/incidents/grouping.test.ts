import { expect, it } from "vitest";
import { incidentOf, type Signal } from "./grouping.ts";

const at = (hour: number, minute = 0) => new Date(Date.UTC(2026, 10, 20, hour, minute)).toISOString();

function signal(id: string, beganAt: string | null, openedAt: string, incidentId = id): Signal {
  return { id, incidentId, beganAt, openedAt };
}

it("joins the incident that began within two hours, before or after it", () => {
  const open = [signal("a", at(12), at(12, 20))];
  expect(incidentOf(signal("b", at(14), at(18)), open)).toBe("a");
  expect(incidentOf(signal("b", at(10), at(18)), open)).toBe("a");
  expect(incidentOf(signal("b", at(14, 1), at(14, 2)), open)).toBeUndefined();
  expect(incidentOf(signal("b", at(12), at(12, 20)), [])).toBeUndefined();
});

it("joins the nearest of several", () => {
  const open = [signal("a", at(9), at(9)), signal("b", at(12), at(12))];
  expect(incidentOf(signal("c", at(10, 40), at(12)), open)).toBe("b");
  expect(incidentOf(signal("c", at(10, 20), at(12)), open)).toBe("a");
});

it("compares with the first signal only, so that an incident does not grow for days", () => {
  const open = [signal("a", at(9), at(9)), signal("b", at(10, 50), at(11), "a")];
  expect(incidentOf(signal("c", at(12), at(12)), open)).toBeUndefined();
});

it("compares the times of opening if a beginning is not known", () => {
  expect(incidentOf(signal("b", null, at(12, 30)), [signal("a", at(6), at(12))])).toBe("a");
  expect(incidentOf(signal("b", at(6), at(15)), [signal("a", null, at(12))])).toBeUndefined();
});
