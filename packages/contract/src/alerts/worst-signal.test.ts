import { expect, it } from "vitest";
import { worstSignal } from "./worst-signal.ts";

const culprit = { name: "main.price", file: "", line: 0, share: 1 };

it("is open, before one with a known function, before the largest increase", () => {
  const over = { status: "resolved", increase: 9, culprit } as const;
  const known = { status: "open", increase: 0.2, culprit } as const;
  const open = { status: "open", increase: 3 } as const;
  const larger = { status: "open", increase: 4 } as const;
  expect(worstSignal([over, larger, known, open])).toBe(known);
  expect(worstSignal([over, open, larger])).toBe(larger);
  expect(worstSignal([over])).toBe(over);
  expect(() => worstSignal([])).toThrow("An incident has at least one signal");
});
