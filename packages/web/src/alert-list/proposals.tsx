import { type MuteProposal, muteAlerts, scheduleText } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { CalendarClock } from "lucide-react";
import { call } from "#api/call.ts";
import { profileTypeLabel } from "#format/names.ts";
import { plural } from "#format/number.ts";
import { zoneName } from "#format/wall-time.ts";
import { useZone } from "#preferences/time-zone.ts";
import { useMayChange } from "#session/session.ts";
import { Card } from "#ui/content/card.tsx";
import { Button } from "#ui/controls/button.tsx";
import { useChange } from "#ui/overlays/use-change.ts";
import { mutesQuery, proposalsQuery, queriesOfAlerts } from "./queries.ts";

interface ProposalsProps {
  /** Only proposals about one of these alerts; default: all. */
  readonly alertIds?: readonly string[];
}

/** Schedules for alerts that come back at the same time, each with a button that mutes them. Nothing without any. */
export function Proposals({ alertIds }: ProposalsProps) {
  const { data } = useQuery(proposalsQuery(zoneName(useZone())));
  const proposals = (data?.proposals ?? []).filter(
    ({ alert_ids }) => alertIds === undefined || alert_ids.some((id) => alertIds.includes(id)),
  );
  if (proposals.length === 0) return null;
  return (
    <Card className="min-w-0">
      <ul aria-label="Proposed schedules" className="divide-y divide-line">
        {proposals.map((proposal) => (
          <ProposalRow key={JSON.stringify(proposal)} proposal={proposal} />
        ))}
      </ul>
    </Card>
  );
}

function ProposalRow({ proposal }: { readonly proposal: MuteProposal }) {
  const mayChange = useMayChange();
  const { service, type, schedule, times } = proposal;
  const text = scheduleText(schedule);
  const alerts = `${profileTypeLabel(type)} alerts of ${service}`;
  const reason = `Opened and resolved then on ${plural(times, "day")} of five weeks`;
  const { mutate, isPending } = useChange({
    send: () => call(muteAlerts, { body: { service, type, schedule, reason } }),
    answers: mutesQuery,
    stale: queriesOfAlerts,
    done: () => `${alerts} are expected ${text}`,
  });
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 bg-info/6 px-4 py-3">
      <div className="flex min-w-0 flex-1 basis-72 gap-2">
        <CalendarClock aria-hidden className="mt-0.5 size-4 shrink-0 text-info" strokeWidth={1.75} />
        <div className="min-w-0">
          <p className="[overflow-wrap:anywhere]">
            {alerts} opened and resolved at the same time on {plural(times, "day")} of the last five weeks.
          </p>
          <p className="text-label text-muted">
            {mayChange
              ? "Expected alerts stay in the list. A notification follows only if one lasts longer."
              : `${text.charAt(0).toUpperCase()}${text.slice(1)}`}{" "}
            Time zone: {schedule.time_zone}.
          </p>
        </div>
      </div>
      {mayChange && (
        <Button size="sm" disabled={isPending} onClick={() => mutate()}>
          Expect this {text}
        </Button>
      )}
    </li>
  );
}
