import { type AlertMute, endMute, scheduleText } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { BellOff, BellRing } from "lucide-react";
import { useState } from "react";
import { Proposals } from "#alert-list/proposals.tsx";
import { mutesQuery, queriesOfAlerts } from "#alert-list/queries.ts";
import { call } from "#api/call.ts";
import { exactTime } from "#format/time.ts";
import { ReadOnlyNote } from "#layout/read-only-note.tsx";
import { useZone } from "#preferences/time-zone.ts";
import { useMayChange } from "#session/session.ts";
import { ListCard, LoadingRows, NothingListed } from "#settings/parts/parts.tsx";
import { Badge } from "#ui/content/badge.tsx";
import { ProfileTypeBadge } from "#ui/content/profile-type-badge.tsx";
import { RelativeTime } from "#ui/content/values.tsx";
import { Button } from "#ui/controls/button.tsx";
import { useNow } from "#ui/hooks/use-now.ts";
import { useChange } from "#ui/overlays/use-change.ts";
import { endText, nextText, scopeText } from "./model.ts";
import { MuteDialog } from "./mute-dialog.tsx";

export function Mutes() {
  const query = useQuery(mutesQuery);
  const mayChange = useMayChange();
  const [isMuting, setIsMuting] = useState(false);
  return (
    <>
      <Proposals />
      <ListCard
        title="Muted alerts"
        detail="Muted alerts stay in the list, send no notifications and do not count as open."
        actions={
          mayChange ? (
            <Button onClick={() => setIsMuting(true)}>
              <BellOff aria-hidden className="size-4" strokeWidth={1.75} />
              Mute alerts
            </Button>
          ) : (
            <ReadOnlyNote />
          )
        }
        query={query}
        nouns="muted alerts"
        loading={<LoadingRows nouns="muted alerts" count={1} className="h-8 w-72" />}
        items={({ muted }) => muted}
        nothing={
          <NothingListed icon={BellRing} title="Nothing is muted">
            Mute a service, profile type or tag while extra load is expected: once, such as during a
            migration, or every week.
          </NothingListed>
        }
      >
        {(mute) => <MuteRow mute={mute} mayChange={mayChange} />}
      </ListCard>
      {isMuting && <MuteDialog onClose={() => setIsMuting(false)} />}
    </>
  );
}

function MuteRow({ mute, mayChange }: { readonly mute: AlertMute; readonly mayChange: boolean }) {
  const ending = useChange({
    send: () => call(endMute, { params: { id: mute.id } }),
    answers: mutesQuery,
    stale: queriesOfAlerts,
    done: () => `${scopeText(mute)}: no longer muted`,
  });
  const now = useNow();
  const { service, type, tags = {}, reason, schedule } = mute;
  const isPlanned = Date.parse(mute.starts_at) > now;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5">
      <div className="min-w-0 flex-1 basis-56">
        <div className="flex min-w-0 flex-wrap items-center gap-2">
          {service === null ? (
            <span className="font-medium">All services</span>
          ) : (
            <Link
              to="/profiles/service/$serviceName"
              params={{ serviceName: service }}
              title={service}
              className="min-w-0 truncate font-medium hover:text-accent-text hover:underline"
            >
              {service}
            </Link>
          )}
          {type !== null && <ProfileTypeBadge type={type} />}
          {Object.entries(tags).map(([name, value]) => (
            <Badge key={name}>{`${name}:${value}`}</Badge>
          ))}
        </div>
        {reason !== "" && <p className="wrap-anywhere text-label text-muted">{reason}</p>}
      </div>
      <MuteTimes mute={mute} nowMs={now} />
      {mayChange && (
        <Button
          size="sm"
          disabled={ending.isPending}
          aria-label={`${isPlanned ? "Cancel" : "End"} the mute of ${scopeText(mute)}`}
          onClick={() => ending.mutate()}
        >
          {schedule !== undefined ? "End" : isPlanned ? "Cancel" : "Unmute"}
        </Button>
      )}
    </li>
  );
}

/** Since when or when it mutes, and when it ends, or begins the next time. */
function MuteTimes({ mute, nowMs }: { readonly mute: AlertMute; readonly nowMs: number }) {
  const zone = useZone();
  const { starts_at: startsAt, until, schedule, window } = mute;
  if (schedule !== undefined && window !== undefined) {
    const isNow = Date.parse(window.from) <= nowMs;
    const text = scheduleText(schedule);
    return (
      <>
        <p className="text-label text-muted">
          {text.charAt(0).toUpperCase() + text.slice(1)}, {schedule.time_zone}
        </p>
        <p className="w-32 text-label" title={exactTime(isNow ? window.to : window.from, zone)}>
          {isNow ? endText(window.to, nowMs) : nextText(window.from, nowMs)}
        </p>
      </>
    );
  }
  return (
    <>
      <p className="text-label text-muted">
        {Date.parse(startsAt) > nowMs ? (
          `Begins ${exactTime(startsAt, zone)}`
        ) : (
          <>
            Muted <RelativeTime at={startsAt} />
          </>
        )}
      </p>
      <p className="w-32 text-label" title={until === null ? undefined : exactTime(until, zone)}>
        {endText(until, nowMs)}
      </p>
    </>
  );
}
