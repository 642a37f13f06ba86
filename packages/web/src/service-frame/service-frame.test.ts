// @vitest-environment happy-dom
import type { Alert } from "@flamekeep/contract";
import { expect, it } from "vitest";
import { profilesOf } from "./service-frame.tsx";
import { healthOf } from "./service-health.tsx";

it("counts profiles without batches of HTTP metrics", () => {
  expect(profilesOf({ cpu: 96, wall: 4, metrics: 289 })).toBe(100);
  expect(profilesOf({ metrics: 3 })).toBe(0);
  expect(profilesOf(undefined)).toBe(0);
});

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
