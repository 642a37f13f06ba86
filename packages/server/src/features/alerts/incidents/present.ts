import type { Alert, Incident, IncidentComment } from "@flamekeep/contract";
import type { CommentRow, Involvement } from "#alerts/store/incidents.ts";
import type { UserActor } from "#context";

const bySeverity: readonly Alert["severity"][] = ["critical", "warning", "info"];

/** @param signals of this incident, in the order in which they opened; at least one */
export function toIncident(
  id: string,
  signals: readonly Alert[],
  { assignee, commentCount }: Involvement,
): Incident {
  const [first] = signals;
  if (first === undefined) throw new Error(`Incident ${id} has no signals`);
  const isOpen = signals.some(({ status }) => status === "open");
  // Times of one format, in UTC: their text has their order.
  const ends = signals.flatMap(({ resolved_at }) => resolved_at ?? []).sort();
  return {
    id,
    service: first.service,
    timestamp: first.timestamp,
    ...beginningOf(signals),
    resolved_at: isOpen ? null : (ends.at(-1) ?? null),
    status: isOpen ? "open" : "resolved",
    severity: bySeverity.find((each) => signals.some(({ severity }) => severity === each)) ?? first.severity,
    signals: [...signals],
    ...acknowledgementOf(signals),
    ...(assignee === undefined ? {} : { assignee }),
    comment_count: commentCount,
  };
}

/** The earliest beginning, or a more precise one within its error. */
export function beginningOf(
  signals: readonly Pick<Alert, "began_at" | "began_error_seconds" | "timestamp">[],
): Pick<Incident, "began_at" | "began_error_seconds"> {
  const began = signals
    .map(({ began_at, began_error_seconds: error, timestamp }) => ({ at: began_at ?? timestamp, error }))
    .sort((a, b) => (a.at < b.at ? -1 : 1));
  const [first] = began;
  if (first?.error === undefined) return { began_at: first?.at ?? "" };
  const latestMs = Date.parse(first.at) + first.error * 1000;
  const precise = began.find(({ at, error }) => error === undefined && Date.parse(at) <= latestMs);
  return precise === undefined
    ? { began_at: first.at, began_error_seconds: first.error }
    : { began_at: precise.at };
}

/** The newest acknowledgement of the open signals; none while an open signal is not acknowledged. */
function acknowledgementOf(signals: readonly Alert[]): Pick<Incident, "acknowledged"> {
  const open = signals.filter(({ status }) => status === "open").map(({ acknowledged }) => acknowledged);
  const all = open.filter((each) => each !== undefined);
  const [latest] = all.toSorted((a, b) => (a.at < b.at ? 1 : -1));
  return latest === undefined || all.length < open.length ? {} : { acknowledged: latest };
}

/** @param reader undefined for visitors of the demo and coding agents */
export function toComment(row: CommentRow, reader: UserActor | undefined): IncidentComment {
  return {
    id: row.id,
    by: row.firstName === null ? null : `${row.firstName} ${row.lastName}`,
    is_yours: reader !== undefined && row.writtenBy === reader.userId,
    at: row.createdAt,
    text: row.text,
  };
}
