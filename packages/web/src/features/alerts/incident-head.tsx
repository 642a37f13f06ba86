import { acknowledgeIncident, assignIncident, type Incident, worstSignal } from "@flamekeep/contract";
import { isPartialRelease, releaseText } from "@flamekeep/contract/alert-text";
import { Link } from "@tanstack/react-router";
import { ArrowLeftRight, CircleCheck, MessageSquare, UserCheck, UserPlus, UserRound } from "lucide-react";
import { BeganTime } from "#alert-list/alert-parts.tsx";
import { Acknowledgement } from "#alert-list/handling-badge.tsx";
import { MemberItems } from "#alert-list/member-items.tsx";
import { alertComparison, severityOf } from "#alert-list/model.ts";
import { SeverityMark } from "#alert-list/severity-mark.tsx";
import { call } from "#api/call.ts";
import { exactCount, plural } from "#format/number.ts";
import { timeBetween } from "#format/time.ts";
import { useMayChange } from "#session/session.ts";
import { Badge } from "#ui/content/badge.tsx";
import { RelativeTime } from "#ui/content/values.tsx";
import { Button, buttonClass } from "#ui/controls/button.tsx";
import { Menu } from "#ui/controls/menu.tsx";
import { useMinute } from "#ui/hooks/use-now.ts";
import { useChange } from "#ui/overlays/use-change.ts";

interface IncidentProps {
  readonly incident: Incident;
}

/** Severity, service, times and release of an incident, and who works on it, as one line where there is room. */
export function IncidentHead({ incident, count }: IncidentProps & { readonly count: string | undefined }) {
  const { id, service } = incident;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <SeverityMark severity={severityOf(incident)} />
      <Link
        from="/alerts"
        to="/alerts"
        search={(before) => ({ ...before, incident: id })}
        title={`Open the incident of ${service}`}
        className="min-w-0 max-w-64 truncate font-semibold hover:text-accent-text hover:underline"
      >
        {service}
      </Link>
      <span className="text-label text-muted">
        {count !== undefined && `${count} `}
        <IncidentTimes incident={incident} />
      </span>
      <IncidentRelease incident={incident} />
      <span className="ml-auto flex min-w-0 flex-wrap items-center justify-end gap-1.5 max-md:ml-0 max-md:justify-start">
        <CommentCount incident={incident} />
        <IncidentPeople incident={incident} />
        <Link {...alertComparison(worstSignal(incident.signals))} className={buttonClass("secondary", "sm")}>
          <ArrowLeftRight aria-hidden className="size-3.5" strokeWidth={1.75} />
          Compare
          <span className="sr-only"> before and after: {service}</span>
        </Link>
      </span>
    </div>
  );
}

/** `since 10:42, for 2 h`, or `from 10:42, lasted 2 h, resolved 3 h ago`. */
export function IncidentTimes({ incident }: IncidentProps) {
  const { began_at, began_error_seconds: error, resolved_at } = incident;
  const about = error === undefined ? "" : "about ";
  const nowMs = useMinute();
  if (resolved_at === null) {
    return (
      <>
        since <BeganTime alert={incident} />, for {about}
        {timeBetween(began_at, new Date(nowMs).toISOString())}
      </>
    );
  }
  return (
    <>
      from <BeganTime alert={incident} />, lasted {about}
      {timeBetween(began_at, resolved_at)}, resolved <RelativeTime at={resolved_at} />
    </>
  );
}

/** The release near the beginning. */
export function IncidentRelease({ incident: { signals } }: IncidentProps) {
  const release = signals.find((signal) => signal.release !== undefined)?.release;
  if (release === undefined) return null;
  return (
    <Badge className="min-w-0 max-w-64" title={`${releaseText(release)} within an hour of the beginning`}>
      <span className="truncate">
        {isPartialRelease(release) ? release.after : `${release.before} → ${release.after}`}
      </span>
    </Badge>
  );
}

function CommentCount({ incident: { id, service, comment_count: count } }: IncidentProps) {
  if (count === 0) return null;
  const text = plural(count, "comment");
  return (
    <Link
      from="/alerts"
      to="/alerts"
      search={(before) => ({ ...before, incident: id })}
      aria-label={`${text} on the incident of ${service}`}
      title={text}
      className={buttonClass("ghost", "sm")}
    >
      <MessageSquare aria-hidden className="size-3.5" strokeWidth={1.75} />
      {exactCount(count)}
    </Link>
  );
}

/** The acknowledgement and the assignee: as buttons for people who may change them. */
export function IncidentPeople({ incident }: IncidentProps) {
  const mayChange = useMayChange();
  const { acknowledged, assignee } = incident;
  return (
    <>
      {!mayChange && acknowledged && <Acknowledgement acknowledged={acknowledged} />}
      {mayChange && <AcknowledgeButton incident={incident} />}
      {mayChange && <AssignMenu incident={incident} />}
      {!mayChange && assignee && (
        <Badge className="min-w-0 max-w-full" title={`Assigned to ${assignee.name}`}>
          <UserRound aria-hidden className="size-3 shrink-0" strokeWidth={1.75} />
          <span className="truncate">{assignee.name}</span>
        </Badge>
      )}
    </>
  );
}

/** Acknowledges all open signals of an incident, or takes that back. */
function AcknowledgeButton({ incident: { id, acknowledged, service, status } }: IncidentProps) {
  const { mutate, isPending } = useChange({
    send: (is_acknowledged: boolean) =>
      call(acknowledgeIncident, { params: { id }, body: { is_acknowledged } }),
    stale: [{ queryKey: ["alerts"] }],
    done: (_reply, isDone) =>
      `Incident of ${service} ${isDone ? "acknowledged" : "is no longer acknowledged"}`,
  });
  if (status === "resolved") return null;
  const isAcknowledged = acknowledged !== undefined;
  const Icon = isAcknowledged ? CircleCheck : UserCheck;
  return (
    <Button
      size="sm"
      disabled={isPending}
      aria-label={
        isAcknowledged
          ? `Acknowledged: undo for the incident of ${service}`
          : `Acknowledge the incident of ${service}`
      }
      title={
        isAcknowledged
          ? `Acknowledged by ${acknowledged.by ?? "a former member"}. Click to undo.`
          : "Acknowledge: you are working on it"
      }
      className={isAcknowledged ? "bg-surface-2!" : ""}
      onClick={() => mutate(!isAcknowledged)}
    >
      <Icon aria-hidden className="size-3.5" strokeWidth={1.75} />
      {isAcknowledged ? "Acknowledged" : "Acknowledge"}
    </Button>
  );
}

/** Shows who takes care of an incident, and assigns it to somebody else. */
function AssignMenu({ incident }: IncidentProps) {
  const { id, assignee, service } = incident;
  const { mutate: assign } = useChange({
    send: (user_id: string | null) => call(assignIncident, { params: { id }, body: { user_id } }),
    stale: [{ queryKey: ["alerts"] }],
    done: ({ incident: { assignee: assigned } }) =>
      `Incident of ${service} is ${assigned ? `assigned to ${assigned.name}` : "unassigned"}`,
  });
  const Icon = assignee === undefined ? UserPlus : UserRound;
  const label =
    assignee === undefined
      ? `Assign the incident of ${service}`
      : `Assigned to ${assignee.name}: reassign the incident of ${service}`;
  return (
    <Menu
      trigger={
        <Button size="sm" className="min-w-0 max-w-48" aria-label={label} title={label}>
          <Icon aria-hidden className="size-3.5 shrink-0" strokeWidth={1.75} />
          <span className="truncate">{assignee?.name ?? "Assign"}</span>
        </Button>
      }
    >
      <MemberItems chosenId={assignee?.user_id} nobody="Unassign" onChoose={assign} />
    </Menu>
  );
}
