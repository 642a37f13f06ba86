import type { Alert, Incident } from "@flamekeep/contract";

const bySeverity: readonly Alert["severity"][] = ["critical", "warning", "info"];

/** @param signals of this incident, in the order in which they opened; at least one */
export function toIncident(id: string, signals: readonly Alert[]): Incident {
  const [first] = signals;
  if (first === undefined) throw new Error(`Incident ${id} has no signals`);
  const isOpen = signals.some(({ status }) => status === "open");
  // Times of one format, in UTC: their text has their order.
  const ends = signals.flatMap(({ resolved_at }) => resolved_at ?? []).sort();
  const began = signals.map(({ began_at, timestamp }) => began_at ?? timestamp).sort();
  return {
    id,
    service: first.service,
    timestamp: first.timestamp,
    began_at: began[0] ?? first.timestamp,
    resolved_at: isOpen ? null : (ends.at(-1) ?? null),
    status: isOpen ? "open" : "resolved",
    severity: bySeverity.find((each) => signals.some(({ severity }) => severity === each)) ?? first.severity,
    signals: [...signals],
  };
}
