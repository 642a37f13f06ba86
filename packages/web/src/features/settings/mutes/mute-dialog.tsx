import { limits, muteAlerts, type ProfileType, profileTypes } from "@flamekeep/contract";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type MuteSpan, muteEnd, muteSpans } from "#alert-list/mute-spans.ts";
import { mutesQuery } from "#alert-list/queries.ts";
import { call } from "#api/call.ts";
import { serverText } from "#api/reply.ts";
import { profileTypeLabel } from "#format/names.ts";
import { clockText, type Zone } from "#format/wall-time.ts";
import { useZone } from "#preferences/time-zone.ts";
import { LabelledSelect } from "#settings/labelled-select.tsx";
import { allServicesQuery } from "#settings/queries.ts";
import { Field } from "#ui/controls/field.tsx";
import { FormProblems, useCheckedForm } from "#ui/controls/form-problems.tsx";
import { Dialog } from "#ui/overlays/dialog.tsx";
import { DialogActions } from "#ui/overlays/dialog-actions.tsx";
import { showToast } from "#ui/overlays/toast.ts";
import { instantsOf, scopeText, tagsOf } from "./model.ts";

const types = [
  { value: "all", label: "All types" },
  ...profileTypes.map((value) => ({ value, label: profileTypeLabel(value) })),
] as const;

export function MuteDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog
      isOpen
      onOpenChange={(open) => !open && onClose()}
      title="Mute alerts"
      description="Now or for a planned time. They stay in the list, but send no message."
    >
      <MuteForm onClose={onClose} />
    </Dialog>
  );
}

function MuteForm({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient();
  const services = useQuery(allServicesQuery).data?.services ?? [];
  const [service, setService] = useState("");
  const [type, setType] = useState<ProfileType | "all">("all");
  const [tagText, setTagText] = useState("");
  const [plan, setPlan] = useState<Plan>({ begin: "", occurrence: 0, span: "24h", reason: "" });
  const zone = useZone();
  const name = service.trim();
  const tags = tagsOf(tagText);
  const scope = { service: name || null, type: type === "all" ? null : type, tags: tags ?? {} };
  const muting = useMutation({
    mutationFn: () => call(muteAlerts, { body: { ...scope, ...plannedTime(plan, zone) } }),
    onSuccess(reply) {
      client.setQueryData(mutesQuery.queryKey, reply);
      void client.invalidateQueries({ queryKey: ["alerts"] });
      void client.invalidateQueries({ queryKey: ["status"] });
      showToast(`Muted: ${scopeText(scope)}`);
      onClose();
    },
  });
  const form = useCheckedForm(
    () => problemsOf(name, tags),
    () => muting.mutate(),
  );
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <FormProblems
        problems={form.problems}
        failure={muting.error ? serverText(muting.error, "Failed to mute alerts") : undefined}
      />
      <Field
        label="Service"
        name="service"
        list="services-to-mute"
        placeholder="checkout"
        autoComplete="off"
        maxLength={limits.serviceNameLengthMax}
        value={service}
        onChange={(event) => setService(event.target.value)}
        {...form.hintOf("service")}
      />
      <datalist id="services-to-mute">
        {services.map(({ name: option }) => (
          <option key={option} value={option} />
        ))}
      </datalist>
      <Field
        label="Tags"
        name="tags"
        placeholder="env:staging, region:eu"
        autoComplete="off"
        value={tagText}
        onChange={(event) => setTagText(event.target.value)}
        hint="Only alerts whose rise is in profiles with all of them. Without a service: of all services."
        {...form.hintOf("tags")}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <LabelledSelect label="Profile type" value={type} options={types} onChange={setType} />
        <PlanFields plan={plan} onChange={setPlan} zone={zone} />
      </div>
      <DialogActions
        label={muting.isPending ? "Muting..." : "Mute"}
        isDisabled={muting.isPending}
        onCancel={onClose}
      />
    </form>
  );
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

interface PlanFieldsProps {
  readonly plan: Plan;
  readonly onChange: (plan: Plan) => void;
  readonly zone: Zone;
}

function PlanFields({ plan, onChange, zone }: PlanFieldsProps) {
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
        hint={zone === "utc" ? "In UTC. Empty: now." : "Empty: now."}
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
