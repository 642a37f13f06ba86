import type { AlertMute } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { BellOff, BellRing } from "lucide-react";
import { useState } from "react";
import { mutesQuery } from "#alert-list/queries.ts";
import { useMute } from "#alert-list/use-mute.ts";
import { profileTypeLabel } from "#format/names.ts";
import { exactTime } from "#format/time.ts";
import { ReadOnlyNote } from "#layout/read-only-note.tsx";
import { useZone } from "#preferences/time-zone.ts";
import { useMayChange } from "#session/session.ts";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { Message } from "#ui/content/message.tsx";
import { Panel } from "#ui/content/panel.tsx";
import { ProfileTypeBadge } from "#ui/content/profile-type-badge.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { RelativeTime } from "#ui/content/values.tsx";
import { Button } from "#ui/controls/button.tsx";
import { useNow } from "#ui/hooks/use-now.ts";
import { endText } from "./model.ts";
import { MuteDialog } from "./mute-dialog.tsx";

export function Mutes() {
  const query = useQuery(mutesQuery);
  const mayChange = useMayChange();
  const [isMuting, setIsMuting] = useState(false);
  return (
    <Card>
      <CardHeader
        title="Muted alerts"
        detail="They stay in the list of alerts, but send no message and do not count as open."
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
      />
      <Panel
        query={query}
        loading={<MutesSkeleton />}
        errorTitle="Failed to load muted alerts"
        empty={({ muted }) => (muted.length === 0 ? <NoMutes /> : null)}
      >
        {({ muted }) => (
          <ul className="divide-y divide-line border-line border-t">
            {muted.map((mute) => (
              <MuteRow key={`${mute.type} ${mute.service}`} mute={mute} mayChange={mayChange} />
            ))}
          </ul>
        )}
      </Panel>
      {isMuting && <MuteDialog onClose={() => setIsMuting(false)} />}
    </Card>
  );
}

function MuteRow({ mute, mayChange }: { readonly mute: AlertMute; readonly mayChange: boolean }) {
  const setMute = useMute();
  const now = useNow();
  const zone = useZone();
  const { service, type, until } = mute;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5">
      <div className="flex min-w-0 flex-1 basis-56 items-center gap-2">
        <Link
          to="/profiles/service/$serviceName/$type"
          params={{ serviceName: service, type }}
          title={service}
          className="min-w-0 truncate font-medium hover:text-accent-text hover:underline"
        >
          {service}
        </Link>
        <ProfileTypeBadge type={type} />
      </div>
      <p className="text-label text-muted">
        Muted <RelativeTime at={mute.muted_at} />
      </p>
      <p className="w-32 text-label" title={until === null ? undefined : exactTime(until, zone)}>
        {endText(until, now)}
      </p>
      {mayChange && (
        <Button
          size="sm"
          aria-label={`Unmute the ${profileTypeLabel(type)} alerts of ${service}`}
          onClick={() => setMute({ service, profile_type: type }, false)}
        >
          Unmute
        </Button>
      )}
    </li>
  );
}

function NoMutes() {
  return (
    <div className="border-line border-t">
      <Message icon={BellRing} title="Nothing is muted">
        <p>Mute a profile type of a service while you know why it uses more, such as during a migration.</p>
      </Message>
    </div>
  );
}

function MutesSkeleton() {
  return (
    <div role="status" aria-label="Loading muted alerts" className="border-line border-t p-4">
      <Skeleton className="h-8 w-72" />
    </div>
  );
}
