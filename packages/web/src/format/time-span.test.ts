import { expect, it } from "vitest";
import { exactSpan } from "./time.ts";

it("writes a day once that both ends of a span have", () => {
  const from = "2026-11-24T02:00:00Z";
  expect(exactSpan(from, "2026-11-24T03:30:05Z", "utc")).toBe("Nov 24, 2026, 02:00:00 UTC – 03:30:05 UTC");
  expect(exactSpan(from, "2026-11-25T03:30:05Z", "utc")).toMatch(
    /Nov 24, 2026, 02:00:00.* – Nov 25, 2026, 03:30:05/,
  );
  expect(exactSpan(from, from, "utc")).toBe("Nov 24, 2026, 02:00:00 UTC");
});
