// @vitest-environment happy-dom
import { dayMs } from "@flamekeep/contract/durations";
import { expect, it } from "vitest";
import { expiryOf } from "./api-key-row.tsx";

const now = Date.parse("2026-11-20T10:00:00.000Z");
const after = (days: number) => new Date(now + days * dayMs).toISOString();

it.each([
  [null, true, undefined],
  [after(15), true, undefined],
  [after(14), true, "Expires in 14 days"],
  [after(6.999), true, "Expires in 7 days"],
  [after(1.4), true, "Expires in 1 day"],
  [after(0.999), true, "Expires in less than a day"],
  [after(0.5), true, "Expires in less than a day"],
  [after(0), false, "Expired"],
  [after(-3), false, "Expired"],
  // Revoked before it expires.
  [after(3), false, undefined],
])("a key with the expiry %s, active %s, is labelled %s", (expires_at, is_active, label) => {
  expect(expiryOf({ expires_at, is_active }, now)?.label).toBe(label);
});
