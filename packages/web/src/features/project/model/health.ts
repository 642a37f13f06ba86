import type { Alert } from "@flamekeep/contract";
import { severityOf } from "#alert-list/model.ts";
import type { Health } from "#ui/content/health.tsx";

/** The worst of the open alerts that are not muted. */
export function healthOf(alerts: readonly Alert[]): Health {
  const open = openAlerts(alerts).map(severityOf);
  if (open.includes("critical")) return "critical";
  return open.includes("warning") ? "warning" : "healthy";
}

export function openAlerts(alerts: readonly Alert[]): Alert[] {
  return alerts.filter(({ status, is_muted }) => status === "open" && !is_muted);
}
