import { limits, muteAlerts, type ProfileType, profileTypes, scheduleText } from "@flamekeep/contract";
import { useQueryClient } from "@tanstack/react-query";
import { laterSpans, type MuteSpan, muteEnd, muteSpans } from "#alert-list/mute-spans.ts";
import { mutesQuery, queriesOfAlerts } from "#alert-list/queries.ts";
import { call } from "#api/call.ts";
import { profileTypeLabel } from "#format/names.ts";
import { tagsOf } from "#format/tags.ts";
import { clockText, type Zone } from "#format/wall-time.ts";
import { useZone } from "#preferences/time-zone.ts";
import { ServiceField } from "#profile-list/service-field.tsx";
import { TagsField } from "#settings/parts/tags-field.tsx";
import { Field } from "#ui/controls/field.tsx";
import { type Form, useForm } from "#ui/controls/form-problems.tsx";
import { LabelledSelect } from "#ui/controls/select.tsx";
import type { Closable } from "#ui/overlays/dialog.tsx";
import { FormDialog, useFinish } from "#ui/overlays/form-dialog.tsx";
import { instantsOf, scopeText } from "./model.ts";
import {
  firstSchedule,
  type ScheduleDraft,
  ScheduleFields,
  scheduleOf,
  scheduleProblems,
} from "./schedule-fields.tsx";

const types = [
  { value: "all", label: "All types" },
  ...profileTypes.map((value) => ({ value, label: profileTypeLabel(value) })),
] as const;

const repetitions = [
  { value: "once", label: "Once" },
  { value: "weekly", label: "Every week" },
] as const;

interface Draft extends ScheduleDraft {
  readonly service: string;
  readonly type: ProfileType | "all";
  readonly tags: string;
  /** The text of a field for date and time; empty: now. */
  readonly begin: string;
  /** Which of the times that `begin` means: there are two in the hour that a clock change repeats. */
  readonly occurrence: "first" | "second";
  readonly span: MuteSpan;
  readonly reason: string;
  readonly repeats: (typeof repetitions)[number]["value"];
}

export function MuteDialog({ onClose }: Closable) {
  const zone = useZone();
  const form = useMuteForm(zone, onClose);
  const tagHint =
    "Mutes alerts whose profiles carry all these tags. Leave the service empty for all services.";
  return (
    <FormDialog
      form={form}
      title="Mute alerts"
      description="Now, for a planned time, or every week. Muted alerts stay in the list but send no notifications."
      action="Mute"
      pending="Muting..."
      failure="Failed to mute alerts"
      onClose={onClose}
    >
      <ServiceField {...form.field("service")} />
      <TagsField
        service={form.values.service}
        placeholder="env:staging, region:eu"
        {...form.field("tags", tagHint)}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <LabelledSelect label="Profile type" options={types} {...form.choice("type")} />
        <Field
          label="Reason"
          placeholder="Load test"
          autoComplete="off"
          maxLength={limits.muteReasonLengthMax}
          {...form.field("reason")}
        />
        <LabelledSelect label="Repeats" options={repetitions} {...form.choice("repeats")} />
        {form.values.repeats === "weekly" ? (
          <ScheduleFields form={form} />
        ) : (
          <PlanFields form={form} zone={zone} />
        )}
      </div>
    </FormDialog>
  );
}

function useMuteForm(zone: Zone, onClose: () => void) {
  const client = useQueryClient();
  const finish = useFinish(onClose);
  return useForm({
    initial: (): Draft => ({
      service: "",
      type: "all",
      tags: "",
      begin: "",
      occurrence: "first",
      span: "24h",
      reason: "",
      repeats: "once",
      ...firstSchedule(zone),
    }),
    check: (draft) => [
      ...problemsOf(draft.service.trim(), tagsOf(draft.tags)),
      ...(draft.repeats === "weekly" ? scheduleProblems(draft) : planProblems(draft, zone)),
    ],
    send: (draft) =>
      call(muteAlerts, {
        body: { ...scopeOf(draft), reason: draft.reason.trim(), ...timesOf(draft, zone) },
      }),
    onSent(reply, draft) {
      client.setQueryData(mutesQuery.queryKey, reply);
      const times = draft.repeats === "weekly" ? `, ${scheduleText(draft)}` : "";
      return finish(`Muted: ${scopeText(scopeOf(draft))}${times}`, ...queriesOfAlerts);
    },
  });
}

function scopeOf({ service, type, tags }: Draft) {
  return {
    service: service.trim() || null,
    type: type === "all" ? null : type,
    tags: tagsOf(tags) ?? {},
  };
}

function problemsOf(service: string, tags: Readonly<Record<string, string>> | undefined) {
  if (tags === undefined) return [{ field: "tags", text: "Write tags as name:value, separated by commas" }];
  if (service !== "" || Object.keys(tags).length > 0) return [];
  return [{ field: "service", text: "Enter a service or a tag" }];
}

/** When it begins; undefined: now. */
function startOf({ begin, occurrence }: Draft, zone: Zone): string | undefined {
  return instantsOf(begin, zone)[occurrence === "first" ? 0 : 1];
}

function timesOf(draft: Draft, zone: Zone) {
  if (draft.repeats === "weekly") return { schedule: scheduleOf(draft) };
  const startsAt = startOf(draft, zone);
  const beginMs = startsAt === undefined ? Date.now() : Date.parse(startsAt);
  const until = muteEnd(draft.span, beginMs, zone);
  return startsAt === undefined ? { until } : { until, starts_at: startsAt };
}

function planProblems(draft: Draft, zone: Zone) {
  const startsAt = startOf(draft, zone);
  if (startsAt === undefined || Date.parse(startsAt) >= Date.now()) return [];
  return [{ field: "begin", text: "Begins must be in the future; leave it empty to start now" }];
}

function PlanFields({ form, zone }: { readonly form: Form<Draft>; readonly zone: Zone }) {
  const instants = instantsOf(form.values.begin, zone);
  return (
    <>
      <Field
        label="Begins"
        type="datetime-local"
        {...form.field("begin", zone === "utc" ? "In UTC. Empty: now." : "Empty: now.")}
        onChange={(event) => form.set({ begin: event.target.value, occurrence: "first" })}
      />
      {instants.length > 1 && (
        <LabelledSelect
          label="This time occurs twice"
          options={(["first", "second"] as const).map((value, index) => ({
            value,
            label: clockText(Date.parse(instants[index]!), zone),
          }))}
          {...form.choice("occurrence")}
        />
      )}
      <LabelledSelect
        label="For"
        options={form.values.begin === "" ? muteSpans : laterSpans}
        {...form.choice("span")}
      />
    </>
  );
}
