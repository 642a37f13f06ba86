import type { Alert, Incident } from "@flamekeep/contract";
import { HandlingBadge } from "#alert-list/handling-badge.tsx";

interface SignalHandlingProps {
  readonly alert: Alert;
  readonly incident: Incident;
}

/** The acknowledgement or acceptance of a signal. Nothing if the whole incident is acknowledged, because its head says so. */
export function SignalHandling({ alert, incident }: SignalHandlingProps) {
  if (incident.acknowledged !== undefined && alert.expected === undefined) return null;
  return <HandlingBadge alert={alert} />;
}
