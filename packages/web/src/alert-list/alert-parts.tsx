import { type Alert, functionLink, profileTypeEntry } from "@flamekeep/contract";
import { sinceOf } from "@flamekeep/contract/alert-text";
import { shortFunctionName } from "@flamekeep/flame/without-graph";
import { Link } from "@tanstack/react-router";
import { ArrowRight, BellOff } from "lucide-react";
import { profileTypeLabel } from "#format/names.ts";
import { percentText, plural, wholePercentText } from "#format/number.ts";
import { Badge } from "#ui/content/badge.tsx";
import { ProfileTypeBadge } from "#ui/content/profile-type-badge.tsx";
import { ClockTime, Quantity } from "#ui/content/values.tsx";
import { useMinute } from "#ui/hooks/use-now.ts";
import { alertName, alertPage, isOfProfiles } from "./model.ts";
import { alertChange, alertMeasure } from "./values.ts";

interface PartProps {
  readonly alert: Alert;
}

export function AlertService({ alert }: PartProps) {
  const nowMs = useMinute();
  return (
    <Link
      {...alertPage(alert, nowMs)}
      title={alert.service}
      className="min-w-0 truncate font-medium hover:text-accent-text hover:underline"
    >
      {alert.service}
    </Link>
  );
}

/** Type of the profile, without its colour once the alert is resolved; HTTP if it is about requests. */
export function AlertType({ alert }: PartProps) {
  return (
    <span className="inline-flex gap-1">
      {!isOfProfiles(alert) ? (
        <Badge>{alert.signal === "silence" ? "Silence" : "HTTP"}</Badge>
      ) : alert.status === "open" ? (
        <ProfileTypeBadge type={alert.profile_type} />
      ) : (
        <Badge>{profileTypeLabel(alert.profile_type)}</Badge>
      )}
      {alert.rule && <Badge title={alert.rule.name}>Rule</Badge>}
      {alert.signal === "function" && (
        <Badge title="A function rose, the service as a whole did not">Function</Badge>
      )}
      {alert.is_muted && (
        <Badge title="Sends no notifications and does not count as open">
          <BellOff aria-hidden className="size-3" strokeWidth={1.75} />
          Muted
        </Badge>
      )}
    </span>
  );
}

interface AlertSinceProps extends PartProps {
  /** Puts the opening of the alert on a second line. */
  readonly isTwoLines?: boolean;
}

/** `since 10:42 (alert opened 10:57)`: an alert opens some time after the rise began. Only the opening where no more is known. */
export function AlertSince({ alert, isTwoLines = false }: AlertSinceProps) {
  const { began_at, timestamp } = alert;
  const opened = (
    <>
      alert opened <ClockTime at={timestamp} />
    </>
  );
  if (began_at === null) return <span className="whitespace-nowrap">{opened}</span>;
  return (
    <span className={isTwoLines ? "whitespace-nowrap" : undefined}>
      since <BeganTime alert={alert} />{" "}
      {isTwoLines ? (
        <span className="block text-label text-muted">
          opened <ClockTime at={timestamp} />
        </span>
      ) : (
        <span>({opened})</span>
      )}
    </span>
  );
}

interface BeganTimeProps {
  readonly alert: Pick<Alert, "began_at" | "began_error_seconds" | "timestamp">;
}

/** `10:42`, or `about 10:42` where the beginning is not known better. */
export function BeganTime({ alert }: BeganTimeProps) {
  const { began_error_seconds: error } = alert;
  return (
    <span
      title={
        error === undefined
          ? undefined
          : `It may have begun ${plural(Math.round(error / 60), "minute")} earlier or later`
      }
    >
      {error !== undefined && "about "}
      <ClockTime at={sinceOf(alert)} />
    </span>
  );
}

/** The increase. An alert of a rule has none: it shows its condition. */
export function AlertIncrease({ alert }: PartProps) {
  return (
    <span
      title={alert.rule?.name ?? "Value per instance after the increase, against the baseline"}
      className="whitespace-nowrap font-semibold"
    >
      {alert.rule?.condition ?? <Quantity value={alertChange(alert)} />}
    </span>
  );
}

/** Previous and current value. Equal units are shown once. An alert of a rule has only the value when it opened. */
export function AlertValues({ alert }: PartProps) {
  const before = alertMeasure(alert, alert.previous_value);
  const after = alertMeasure(alert, alert.current_value);
  if (alert.rule) return <Quantity value={after} />;
  return (
    <span
      title={isOfProfiles(alert) ? `${alertName(alert)} of one instance` : alertName(alert)}
      className="inline-flex w-full items-baseline justify-end gap-1.5 whitespace-nowrap"
    >
      <BeforeAfter alert={alert} />
      <span className="text-muted">
        <Quantity value={before.unit === after.unit ? { ...before, unit: "" } : before} />
      </span>
      <ArrowRight role="img" aria-label="to" className="size-3.5 self-center text-muted" strokeWidth={1.75} />
      <Quantity value={after} />
    </span>
  );
}

const barsHeight = 14;

/** Both values as bars of the same scale. */
function BeforeAfter({ alert }: PartProps) {
  const largest = Math.max(alert.previous_value, alert.current_value);
  const height = (value: number) => (largest > 0 ? Math.max(1, (barsHeight * value) / largest) : 1);
  const [before, after] = [height(alert.previous_value), height(alert.current_value)];
  return (
    <svg aria-hidden width="13" height={barsHeight} className="mr-auto shrink-0 pr-1">
      <rect y={barsHeight - before} width="5" height={before} rx="1" className="fill-line-strong" />
      <rect
        x="7"
        y={barsHeight - after}
        width="5"
        height={after}
        rx="1"
        className={alert.status === "open" ? "fill-accent" : "fill-muted"}
      />
    </svg>
  );
}

interface AlertFunctionProps extends PartProps {
  /** Labels the percentage on wide screens; otherwise the label is only shown on hover. */
  readonly hasShareLabel?: boolean;
}

function isWaiting({ profile_type: type }: Alert): boolean {
  return profileTypeEntry(type).isWaiting === true;
}

function shareText(alert: Alert): string {
  if (alert.culprit !== undefined) return "is in it or in libraries it calls";
  return isWaiting(alert) ? "waits in it" : "is its self value";
}

/** Rules have a name, and requests a route, instead of a function. */
function NoFunction({ alert }: PartProps) {
  const name = alert.rule?.name ?? (alert.signal && alertName(alert));
  if (name === undefined) return <span className="text-muted">N/A</span>;
  return (
    <span title={name} className="min-w-0 truncate">
      {name}
    </span>
  );
}

/** The culprit, or else the function whose self value grew most, with its share of the increase. */
export function AlertFunction({ alert, hasShareLabel = false }: AlertFunctionProps) {
  const grown = alert.culprit ?? alert.functions[0];
  if (grown === undefined) return <NoFunction alert={alert} />;
  return (
    <span className="flex min-w-0 items-baseline gap-2">
      <Link
        to="/profile/$profileId"
        params={{ profileId: alert.profile_id }}
        // `@` is `widestPlace` of a flame graph's link, written out so that lists of alerts do not load its code.
        search={{ fn: functionLink(grown), zoom: "@" }}
        title={`${grown.name}\nFind it in the flame graph of the newest profile`}
        className="min-w-0 truncate-start font-mono text-code hover:text-accent-text hover:underline"
      >
        <bdi>{shortFunctionName(grown.name)}</bdi>
      </Link>
      <span
        title={`${percentText(grown.share * 100)} of the increase ${shareText(alert)}`}
        className="shrink-0 text-label text-muted"
      >
        {alert.signal !== "function" && wholePercentText(grown.share)}
        {alert.signal !== "function" && hasShareLabel && (
          <span className="max-2xl:hidden"> of the increase</span>
        )}
      </span>
    </span>
  );
}
