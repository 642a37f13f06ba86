import { limits, muteAlerts, type ProfileType, profileTypes } from "@flamekeep/contract";
import { useQueryClient } from "@tanstack/react-query";
import { type MuteSpan, muteEnd, muteSpans } from "#alert-list/mute-spans.ts";
import { mutesQuery } from "#alert-list/queries.ts";
import { call } from "#api/call.ts";
import { profileTypeLabel } from "#format/names.ts";
import { clockText, type Zone } from "#format/wall-time.ts";
import { useZone } from "#preferences/time-zone.ts";
import { ServiceField } from "#settings/parts/parts.tsx";
import { Field } from "#ui/controls/field.tsx";
import { useForm } from "#ui/controls/form-problems.tsx";
import { LabelledSelect } from "#ui/controls/select.tsx";
import { FormDialog } from "#ui/overlays/form-dialog.tsx";
import { showToast } from "#ui/overlays/toast.ts";
import { instantsOf, scopeText, tagsOf } from "./model.ts";

const types = [
  { value: "all", label: "All types" },
  ...profileTypes.map((value) => ({ value, label: profileTypeLabel(value) })),
] as const;

interface Draft {
  readonly service: string;
  readonly type: ProfileType | "all";
  readonly tags: string;
  readonly plan: Plan;
}

export function MuteDialog({ onClose }: { readonly onClose: () => void }) {
  const zone = useZone();
  const form = useMuteForm(zone, onClose);
  const { type, plan } = form.values;
  const tagHint =
    "Only alerts whose rise is in profiles with all of them. Without a service: of all services.";
  return (
    <FormDialog
      form={form}
      title="Mute alerts"
      description="Now or for a planned time. They stay in the list, but send no message."
      action="Mute"
      pending="Muting..."
      failure="Failed to mute alerts"
      onClose={onClose}
    >
      <ServiceField {...form.field("service")} />
      <Field
        label="Tags"
        placeholder="env:staging, region:eu"
        autoComplete="off"
        {...form.field("tags", tagHint)}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <LabelledSelect
          label="Profile type"
          value={type}
          options={types}
          onChange={(chosen) => form.set({ type: chosen })}
        />
        <PlanFields
          plan={plan}
          onChange={(changed) => form.set({ plan: changed })}
          zone={zone}
          begin={form.hintOf("begin", zone === "utc" ? "In UTC. Empty: now." : "Empty: now.")}
        />
      </div>
    </FormDialog>
  );
}

function useMuteForm(zone: Zone, onClose: () => void) {
  const client = useQueryClient();
  return useForm({
    initial: (): Draft => ({
      service: "",
      type: "all",
      tags: "",
      plan: { begin: "", occurrence: 0, span: "24h", reason: "" },
    }),
    check: ({ service, tags, plan }) => [
      ...problemsOf(service.trim(), tagsOf(tags)),
      ...(isPast(plan, zone)
        ? [{ field: "begin", text: "Begins must be a time to come; leave it empty for now" }]
        : []),
    ],
    send: (draft) => call(muteAlerts, { body: { ...scopeOf(draft), ...plannedTime(draft.plan, zone) } }),
    onSent(reply, draft) {
      client.setQueryData(mutesQuery.queryKey, reply);
      void client.invalidateQueries({ queryKey: ["alerts"] });
      void client.invalidateQueries({ queryKey: ["status"] });
      showToast(`Muted: ${scopeText(scopeOf(draft))}`);
      onClose();
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
  if (tags === undefined) return [{ field: "tags", text: "Write tags as name:value, with commas between" }];
  if (service !== "" || Object.keys(tags).length > 0) return [];
  return [{ field: "service", text: "Enter a service or a tag" }];
}

interface Plan {
  /** The text of a field for date and time; empty: now. */
  readonly begin: string;
  /** Which of the times that `begin` means: there are two in the hour that a clock change repeats. */
  readonly occurrence: 0 | 1;
  readonly span: MuteSpan;
  readonly reason: string;
}

function plannedTime({ begin, occurrence, span, reason }: Plan, zone: Zone) {
  const startsAt = instantsOf(begin, zone)[occurrence];
  const beginMs = startsAt === undefined ? Date.now() : Date.parse(startsAt);
  const ended = { reason: reason.trim(), until: muteEnd(span, beginMs) };
  return startsAt === undefined ? ended : { ...ended, starts_at: startsAt };
}

function isPast({ begin, occurrence }: Plan, zone: Zone): boolean {
  const startsAt = instantsOf(begin, zone)[occurrence];
  return startsAt !== undefined && Date.parse(startsAt) < Date.now();
}

interface PlanFieldsProps {
  readonly plan: Plan;
  readonly onChange: (plan: Plan) => void;
  readonly zone: Zone;
  /** The text under the field, and whether its time cannot be sent. */
  readonly begin: { readonly hint?: string; readonly isInvalid: boolean };
}

function PlanFields({ plan, onChange, zone, begin }: PlanFieldsProps) {
  const instants = instantsOf(plan.begin, zone);
  return (
    <>
      <Field
        label="Reason"
        name="reason"
        placeholder="Load test"
        autoComplete="off"
        maxLength={limits.muteReasonLengthMax}
        value={plan.reason}
        onChange={(event) => onChange({ ...plan, reason: event.target.value })}
      />
      <Field
        label="Begins"
        name="begin"
        type="datetime-local"
        value={plan.begin}
        onChange={(event) => onChange({ ...plan, begin: event.target.value, occurrence: 0 })}
        {...begin}
      />
      {instants.length > 1 && (
        <LabelledSelect
          label="This time is there twice"
          value={plan.occurrence === 0 ? "first" : "second"}
          options={instants.map((at, index) => ({
            value: index === 0 ? "first" : "second",
            label: clockText(Date.parse(at), zone),
          }))}
          onChange={(chosen) => onChange({ ...plan, occurrence: chosen === "first" ? 0 : 1 })}
        />
      )}
      <LabelledSelect
        label="For"
        value={plan.span}
        options={muteSpans}
        onChange={(span) => onChange({ ...plan, span })}
      />
    </>
  );
}
