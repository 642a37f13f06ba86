import type { Alert } from "@flamekeep/contract";
import { expect, it } from "vitest";
import { healthOf } from "./health.ts";

type Part = Pick<Alert, "severity"> & Partial<Alert>;

function alert(part: Part): Alert {
  return { status: "open", is_muted: false, ...part } as Alert;
}

it("a service is as healthy as its worst open alert that is not muted", () => {
  const resolved = alert({ status: "resolved", severity: "critical" });
  const muted = alert({ is_muted: true, severity: "critical" });
  const warning = alert({ severity: "warning" });
  expect(healthOf([])).toBe("healthy");
  expect(healthOf([resolved, muted])).toBe("healthy");
  expect(healthOf([resolved, warning])).toBe("warning");
  expect(healthOf([warning, alert({ severity: "critical" })])).toBe("critical");
});
