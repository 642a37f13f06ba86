import { limits, muteAlerts, type ProfileType, profileTypes } from "@flamekeep/contract";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type MuteSpan, muteEnd, muteSpans } from "#alert-list/mute-spans.ts";
import { mutesQuery } from "#alert-list/queries.ts";
import { call } from "#api/call.ts";
import { serverText } from "#api/reply.ts";
import { profileTypeLabel } from "#format/names.ts";
import { LabelledSelect } from "#settings/labelled-select.tsx";
import { allServicesQuery } from "#settings/queries.ts";
import { Field } from "#ui/controls/field.tsx";
import { FormProblems, useCheckedForm } from "#ui/controls/form-problems.tsx";
import { Dialog } from "#ui/overlays/dialog.tsx";
import { DialogActions } from "#ui/overlays/dialog-actions.tsx";
import { showToast } from "#ui/overlays/toast.ts";

const types = profileTypes.map((value) => ({ value, label: profileTypeLabel(value) }));

export function MuteDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog
      isOpen
      onOpenChange={(open) => !open && onClose()}
      title="Mute alerts"
      description="Of one profile type of a service."
    >
      <MuteForm onClose={onClose} />
    </Dialog>
  );
}

function MuteForm({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient();
  const services = useQuery(allServicesQuery).data?.services ?? [];
  const [service, setService] = useState("");
  const [type, setType] = useState<ProfileType>("cpu");
  const [span, setSpan] = useState<MuteSpan>("24h");
  const name = service.trim();
  const muting = useMutation({
    mutationFn: () => call(muteAlerts, { body: { service: name, type, until: muteEnd(span, Date.now()) } }),
    onSuccess(reply) {
      client.setQueryData(mutesQuery.queryKey, reply);
      void client.invalidateQueries({ queryKey: ["alerts"] });
      void client.invalidateQueries({ queryKey: ["status"] });
      showToast(`${profileTypeLabel(type)} alerts of ${name} muted`);
      onClose();
    },
  });
  const form = useCheckedForm(
    () => (name === "" ? [{ field: "service", text: "Enter the name of a service" }] : []),
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
      <div className="grid gap-5 sm:grid-cols-2">
        <LabelledSelect label="Profile type" value={type} options={types} onChange={setType} />
        <LabelledSelect label="For" value={span} options={muteSpans} onChange={setSpan} />
      </div>
      <DialogActions
        label={muting.isPending ? "Muting..." : "Mute"}
        isDisabled={muting.isPending}
        onCancel={onClose}
      />
    </form>
  );
}
