import { type Alert, type Incident, worstSignal } from "@flamekeep/contract";
import { isFault } from "@flamekeep/contract/alert-text";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowLeftRight, BellOff } from "lucide-react";
import { Suspense } from "react";
import { alertComparison, alertPage, byIncrease, severityOf } from "#alert-list/model.ts";
import { Proposals } from "#alert-list/proposals.tsx";
import { SeverityMark } from "#alert-list/severity-mark.tsx";
import { lazyPart } from "#api/import-page.ts";
import { isNotFound } from "#api/reply.ts";
import { plural, wholePercentText } from "#format/number.ts";
import { OtherOrganization } from "#layout/other-organization.tsx";
import { usePageTitle } from "#layout/page-title.ts";
import { ReadOnlyNote } from "#layout/read-only-note.tsx";
import { useMayChange } from "#session/session.ts";
import { Breadcrumb } from "#ui/content/breadcrumb.tsx";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { Message } from "#ui/content/message.tsx";
import { Panel } from "#ui/content/panel.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { RelativeTime } from "#ui/content/values.tsx";
import { buttonClass } from "#ui/controls/button.tsx";
import { useLastError } from "#ui/hooks/use-last-error.ts";
import { useMinute } from "#ui/hooks/use-now.ts";
import { IncidentSkeleton } from "./alerts-skeleton.tsx";
import { Comments } from "./comments.tsx";
import { IncidentPeople, IncidentRelease, IncidentTimes } from "./incident-head.tsx";
import { incidentQuery } from "./queries.ts";
import { SignalDetails } from "./signal-details.tsx";

// Without it, lists of incidents load no graph.
const AlertChanges = lazyPart(async () => (await import("./signal/alert-changes.tsx")).AlertChanges);

/** One incident, at the address that messages and people link to. */
export function IncidentView({ id }: { readonly id: string }) {
  const query = useQuery(incidentQuery(id));
  const error = useLastError(query);
  const panel = isNotFound(error) ? (
    <IncidentNotFound id={id} />
  ) : (
    <Panel
      query={query}
      loading={<IncidentSkeleton />}
      errorTitle="Failed to load the incident"
      errorActions={<AllAlerts />}
    >
      {({ incident, comments }) => (
        <>
          <Overview incident={incident} />
          <Proposals alertIds={incident.signals.map((signal) => signal.id)} />
          {/* A silence has nothing to compare. */}
          {incident.signals.some(({ signal }) => signal !== "silence") && (
            <Suspense fallback={<Skeleton className="h-48 rounded-card!" />}>
              <AlertChanges alert={worstSignal(incident.signals)} />
            </Suspense>
          )}
          <Signals incident={incident} />
          <Comments incident={incident} comments={comments} />
        </>
      )}
    </Panel>
  );
  return (
    <>
      <Breadcrumb>
        <Link to="/dashboard">Dashboard</Link>
        <Link from="/alerts" to="/alerts" search={(before) => ({ ...before, incident: undefined })}>
          Alerts
        </Link>
        <span className="text-text">
          {query.data === undefined ? "Incident" : `Incident of ${query.data.incident.service}`}
        </span>
      </Breadcrumb>
      <div className="mt-4 flex flex-col gap-4">{error !== null ? <Card>{panel}</Card> : panel}</div>
    </>
  );
}

function IncidentNotFound({ id }: { readonly id: string }) {
  usePageTitle("Incident Not Found");
  return (
    <Message icon={BellOff} title="Incident Not Found" actions={<AllAlerts />}>
      <p>Your organization has no incident with this ID.</p>
      <OtherOrganization kind="incident" id={id} />
    </Message>
  );
}

function AllAlerts() {
  return (
    <Link to="/alerts" className={buttonClass()}>
      All alerts
    </Link>
  );
}

interface IncidentProps {
  readonly incident: Incident;
}

function Overview({ incident }: IncidentProps) {
  const mayChange = useMayChange();
  return (
    <Card className="flex flex-col gap-3 p-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <SeverityMark severity={severityOf(incident)} />
        <h2 className="min-w-0 font-semibold text-card [overflow-wrap:anywhere]">{incident.service}</h2>
        <span className="text-label text-muted">
          <IncidentTimes incident={incident} />
        </span>
        <IncidentRelease incident={incident} />
        <span className="ml-auto flex min-w-0 flex-wrap items-center gap-1.5 max-md:ml-0">
          <IncidentPeople incident={incident} />
        </span>
      </div>
      <NextStep incident={incident} />
      <People incident={incident} />
      {!mayChange && <ReadOnlyNote />}
    </Card>
  );
}

/** The people who work on it, with the times. */
function People({ incident: { acknowledged, assignee } }: IncidentProps) {
  if (acknowledged === undefined && assignee === undefined) return null;
  return (
    <p className="flex flex-wrap gap-x-3 text-label text-muted [overflow-wrap:anywhere]">
      {acknowledged && (
        <span>
          Acknowledged by {acknowledged.by ?? "a former member"} <RelativeTime at={acknowledged.at} />
        </span>
      )}
      {assignee && (
        <span>
          Assigned to {assignee.name} <RelativeTime at={assignee.at} />
        </span>
      )}
    </p>
  );
}

/** The first thing to look at: the function that grew, in the comparison of before and after. */
function NextStep({ incident }: IncidentProps) {
  const worst = worstSignal(incident.signals);
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <p className="min-w-0 [overflow-wrap:anywhere]">
        <Advice alert={worst} />
      </p>
      <Link {...alertComparison(worst)} className={buttonClass("primary", "sm")}>
        <ArrowLeftRight aria-hidden className="size-3.5" strokeWidth={1.75} />
        Compare before and after
      </Link>
    </div>
  );
}

function Advice({ alert }: { readonly alert: Alert }) {
  const nowMs = useMinute();
  const { culprit, functions } = alert;
  if (culprit !== undefined) {
    return (
      <>
        Look at <span className="font-mono text-code">{culprit.name}</span>
        {placeText(culprit)}: {wholePercentText(culprit.share)}{" "}
        {isFault(alert) ? "of them wait in it" : "of the increase is in it"} or in libraries it calls.
      </>
    );
  }
  const [grown] = functions;
  return (
    <>
      {grown === undefined ? (
        "Flamekeep found no function that accounts for the increase."
      ) : (
        <>
          <span className="font-mono text-code">{grown.name}</span> grew most: {wholePercentText(grown.share)}{" "}
          of the increase.
        </>
      )}{" "}
      <Link {...alertPage(alert, nowMs)} className="text-accent-text underline">
        Open the profiles of that time
      </Link>
    </>
  );
}

/** ` (cart.go:47)`; empty if the file is not known. */
function placeText({ file, line }: NonNullable<Alert["culprit"]>): string {
  const name = file.slice(Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1);
  return name === "" ? "" : ` (${name}${line > 0 ? `:${line}` : ""})`;
}

/** The signals, worst first: the next step is about that one. */
function Signals({ incident }: IncidentProps) {
  const { signals } = incident;
  const worst = worstSignal(signals);
  const ordered = [worst, ...byIncrease(signals.filter((each) => each !== worst))];
  return (
    <Card className="min-w-0">
      <CardHeader
        title={plural(signals.length, "signal")}
        detail={signals.length > 1 ? "Began within two hours of each other" : undefined}
      />
      <ul className="divide-y divide-line border-line border-t">
        {ordered.map((alert) => (
          <li key={alert.id} className="px-4 py-3">
            <SignalDetails alert={alert} incident={incident} />
          </li>
        ))}
      </ul>
    </Card>
  );
}
