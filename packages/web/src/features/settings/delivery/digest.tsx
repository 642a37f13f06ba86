import {
  type AlertDigest,
  type AlertSettings,
  channelForms,
  channelState,
  type DigestChannel,
  digestChannels,
  digestWeekdays,
  getAlertDigest,
  updateAlertDigest,
} from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { call } from "#api/call.ts";
import { callQuery } from "#api/call-query.ts";
import { twoDigits } from "#format/number.ts";
import { exactTime } from "#format/time.ts";
import { useIsAdmin } from "#session/session.ts";
import { AdminNote, Checkbox, LoadingRows } from "#settings/parts/parts.tsx";
import { alertSettingsQuery } from "#settings/parts/queries.ts";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { Panel } from "#ui/content/panel.tsx";
import { Button } from "#ui/controls/button.tsx";
import { LabelledSelect } from "#ui/controls/select.tsx";
import { useChange } from "#ui/overlays/use-change.ts";

const digestQuery = callQuery(["alert-digest"], getAlertDigest);

/** Schedule and channels of the digest of incidents. Only admins see it, as they do the channels. */
export function Digest() {
  const isAdmin = useIsAdmin();
  return (
    <Card>
      <CardHeader
        title="Digest"
        detail="Summary of opened, resolved and open incidents, and the largest increases with their functions."
        actions={!isAdmin && <AdminNote />}
      />
      {isAdmin ? (
        <DigestSettings />
      ) : (
        <p className="border-line border-t px-4 py-3 text-muted">Only admins see the schedule.</p>
      )}
    </Card>
  );
}

function DigestSettings() {
  const digest = useQuery(digestQuery);
  const settings = useQuery(alertSettingsQuery);
  return (
    <Panel query={digest} loading={skeleton} errorTitle="Failed to load the digest">
      {(stored) => (
        <Panel query={settings} loading={skeleton} errorTitle="Failed to load the channels">
          {(channels) => <DigestForm stored={stored} settings={channels} />}
        </Panel>
      )}
    </Panel>
  );
}

interface DigestFormProps {
  readonly stored: AlertDigest;
  readonly settings: AlertSettings;
}

export function DigestForm({ stored, settings }: DigestFormProps) {
  const [draft, setDraft] = useState<DigestDraft>(() => draftOf(stored));
  const saving = useChange({
    send: (body: DigestDraft) => call(updateAlertDigest, { body }),
    answers: digestQuery,
    done: ({ frequency }) => (frequency === "off" ? "The digest is off" : "The digest is saved"),
    failure: "The digest was not saved",
  });
  const setUp = digestChannels.filter((channel) => channelState(settings, channel).is_set);
  const problem = problemOf(draft, setUp);
  const isOn = draft.frequency !== "off";
  const change = (part: Partial<DigestDraft>) => setDraft((before) => ({ ...before, ...part }));

  function save(event: FormEvent) {
    event.preventDefault();
    saving.mutate(draft);
  }

  return (
    <form onSubmit={save} className="flex flex-col gap-4 border-line border-t px-4 py-4">
      <div className="grid gap-4 sm:grid-cols-3">
        <LabelledSelect
          label="Frequency"
          value={draft.frequency}
          options={frequencies}
          onChange={(frequency) => change({ frequency })}
        />
        {draft.frequency === "weekly" && (
          <LabelledSelect
            label="Day"
            value={draft.weekday}
            options={weekdays}
            onChange={(weekday) => change({ weekday })}
          />
        )}
        {isOn && (
          <LabelledSelect
            label="Hour"
            value={String(draft.hour_utc)}
            options={hours}
            onChange={(hour) => change({ hour_utc: Number(hour) })}
          />
        )}
      </div>
      {isOn && <DigestOptions draft={draft} setUp={setUp} onChange={change} />}
      {problem !== undefined && <p className="text-warning-text">{problem}</p>}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button type="submit" disabled={saving.isPending}>
          Save
        </Button>
        <p className="text-label text-muted">{statusText(stored)}</p>
      </div>
    </form>
  );
}

interface DigestOptionsProps {
  readonly draft: DigestDraft;
  readonly setUp: readonly (typeof digestChannels)[number][];
  readonly onChange: (part: Partial<DigestDraft>) => void;
}

function DigestOptions({ draft, setUp, onChange }: DigestOptionsProps) {
  return (
    <>
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1.5 font-medium">Channels</legend>
        {digestChannels.map((channel) => (
          <Checkbox
            key={channel}
            label={`${channelForms[channel].title}${setUp.includes(channel) ? "" : " (not set up)"}`}
            isChecked={draft.channels.includes(channel)}
            className="max-md:min-h-10"
            onChange={() => onChange({ channels: withChannel(draft.channels, channel) })}
          />
        ))}
      </fieldset>
      <Checkbox
        label="Also send when there are no incidents"
        isChecked={draft.is_sent_when_empty}
        className="max-md:min-h-10"
        onChange={(is_sent_when_empty) => onChange({ is_sent_when_empty })}
      />
    </>
  );
}

const skeleton = <LoadingRows nouns="the digest" count={1} className="h-9 w-72" />;

/** The fields of the form. */
type DigestDraft = Pick<
  AlertDigest,
  "frequency" | "hour_utc" | "weekday" | "channels" | "is_sent_when_empty"
>;

function draftOf({ frequency, hour_utc, weekday, channels, is_sent_when_empty }: DigestDraft): DigestDraft {
  return { frequency, hour_utc, weekday, channels, is_sent_when_empty };
}

const frequencies = [
  { value: "off", label: "Off" },
  { value: "daily", label: "Every day" },
  { value: "weekly", label: "Every week" },
] as const;

const weekdays = digestWeekdays.map((value) => ({
  value,
  label: value.charAt(0).toUpperCase() + value.slice(1),
}));

/** A select has texts as values. */
const hours = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${twoDigits(hour)}:00 UTC`,
}));

export function withChannel(channels: readonly DigestChannel[], channel: DigestChannel): DigestChannel[] {
  return channels.includes(channel) ? channels.filter((each) => each !== channel) : [...channels, channel];
}

/** Why the digest would reach nobody; undefined if it is off or has a channel that is set up. */
export function problemOf(
  { frequency, channels }: DigestDraft,
  setUp: readonly DigestChannel[],
): string | undefined {
  if (frequency === "off" || channels.some((channel) => setUp.includes(channel))) return undefined;
  return setUp.length === 0
    ? "No channel is set up. Set one up above to receive the digest."
    : "Choose a channel that is set up.";
}

/** `Next: Nov 21, 2026, 07:00:00 UTC.`, and how the last one went. */
export function statusText({ next_at, last }: Pick<AlertDigest, "next_at" | "last">): string {
  const next = next_at === null ? "" : `Next: ${exactTime(next_at, "utc")}.`;
  if (last === null) return next;
  const failed = last.deliveries.filter(({ status }) => status !== "delivered");
  const [first] = failed;
  const result =
    first === undefined
      ? "was delivered"
      : `${first.status === "due" ? "is not delivered yet" : "was not delivered"}${first.error === null ? "" : `: ${first.error}`}`;
  return `${next} The last digest, until ${exactTime(last.to, "utc")}, ${result}.`.trim();
}
