import type { Alert } from "@flamekeep/contract";

/** The text of an alert or of a test, the same for all channels. */
export interface Message {
  readonly event: "opened" | "resolved" | "test";
  readonly title: string;
  readonly text: string;
  readonly link: string;
  /** null for a test. */
  readonly alert: Alert | null;
}

export function alertMessage(event: "opened" | "resolved", alert: Alert, publicUrl: string): Message {
  const { service, profile_type: type } = alert;
  const change = `${alert.percent_change.toFixed(1)} %`;
  const lines =
    event === "opened"
      ? [
          `From ${quantity(alert.previous_value, alert.unit)} to ${quantity(alert.current_value, alert.unit)}.`,
          ...alert.functions
            .slice(0, 3)
            .map(({ name, share }) => `${name}: ${percent(share)} of the increase`),
        ]
      : [`Back to what it was before ${alert.timestamp}.`];
  return {
    event,
    title: event === "opened" ? `${service}: ${type} up ${change}` : `${service}: ${type} is back`,
    text: lines.join("\n"),
    link: `${publicUrl}/alerts?service=${encodeURIComponent(service)}`,
    alert,
  };
}

export function testMessage(publicUrl: string): Message {
  return {
    event: "test",
    title: "Flamekeep can reach you here",
    text: "This is a test. Alerts about your services will arrive like this.",
    link: `${publicUrl}/alerts`,
    alert: null,
  };
}

function quantity(value: number, unit: string): string {
  if (unit === "nanoseconds per second") return `${(value / 1e9).toFixed(3)} s per second`;
  if (unit === "bytes") return `${(value / 1024 ** 2).toFixed(1)} MiB`;
  return `${Number(value.toPrecision(4))} ${unit}`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
