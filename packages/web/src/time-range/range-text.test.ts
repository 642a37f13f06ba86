import { expect, it } from "vitest";
import { rangeText } from "./range-text.ts";
import type { ViewRange } from "./view-range.ts";

const now = Date.UTC(2026, 10, 20, 12);
const between = (from: string, to: string): ViewRange => ({
  kind: "between",
  fromMs: Date.parse(from),
  toMs: Date.parse(to),
});

it.each([
  [{ kind: "last", span: "24h" } as const, "Last 24 hours"],
  [{ kind: "last", span: "90m" } as const, "Last 90 minutes"],
  [{ kind: "last", span: "2h" } as const, "Last 2 hours"],
  [between("2026-11-20T10:00Z", "2026-11-20T12:30Z"), "Nov 20, 10:00 – 12:30 UTC"],
  [between("2026-11-19T22:00Z", "2026-11-20T00:30:05Z"), "Nov 19, 22:00 – Nov 20, 00:30:05 UTC"],
  [between("2025-12-31T22:00Z", "2025-12-31T23:00Z"), "Dec 31, 2025, 22:00 – 23:00 UTC"],
  [between("2026-11-18T00:00Z", "2026-11-19T00:00Z"), "Nov 18 UTC"],
  [between("2026-11-18T00:00Z", "2026-11-20T00:00Z"), "Nov 18 – Nov 19 UTC"],
])("%j reads %s", (range, text) => expect(rangeText(range, now, "utc")).toBe(text));
