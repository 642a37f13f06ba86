import { type AlertChannel, type AlertSettings, channelState } from "@flamekeep/contract";
import { useState } from "react";
import { serverText } from "#api/reply.ts";
import { FormProblems, useCheckedForm } from "#ui/controls/form-problems.tsx";
import { Dialog } from "#ui/overlays/dialog.tsx";
import { DialogActions } from "#ui/overlays/dialog-actions.tsx";
import { ChannelInput } from "./channel-fields.tsx";
import { changeOf, draftOf, formOf, problemsOf } from "./model.ts";
import { useSettingsChange } from "./use-settings-change.ts";

interface ChannelDialogProps {
  readonly channel: AlertChannel;
  readonly settings: AlertSettings;
  readonly onClose: () => void;
}

export function ChannelDialog(props: ChannelDialogProps) {
  const { dialogTitle, instruction } = formOf(props.channel);
  return (
    <Dialog
      isOpen
      onOpenChange={(open) => !open && props.onClose()}
      title={dialogTitle}
      description={instruction}
    >
      <ChannelDialogForm {...props} />
    </Dialog>
  );
}

function ChannelDialogForm({ channel, settings, onClose }: ChannelDialogProps) {
  const [draft, setDraft] = useState(() => draftOf(channel, settings));
  const { title, fields } = formOf(channel);
  const saving = useSettingsChange(`${title} is saved`, onClose);
  const form = useCheckedForm(
    () => problemsOf(channel, draft, settings),
    () => saving.mutate(changeOf(channel, draft)),
  );
  const setText = (name: string, text: string, removed = draft.removed) =>
    setDraft({ texts: { ...draft.texts, [name]: text }, removed });
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <FormProblems
        problems={form.problems}
        failure={saving.error ? serverText(saving.error, "Failed to save alert delivery") : undefined}
      />
      {fields.map((field) => (
        <ChannelInput
          key={field.name}
          field={field}
          state={channelState(settings, channel)}
          text={draft.texts[field.name] ?? ""}
          isRemoved={draft.removed.includes(field.name)}
          hintOf={form.hintOf}
          onChange={(text) => setText(field.name, text)}
          onRemove={(isRemoved) => setText(field.name, "", isRemoved ? [field.name] : [])}
        />
      ))}
      <DialogActions
        label={saving.isPending ? "Saving..." : "Save"}
        isDisabled={saving.isPending}
        onCancel={onClose}
      />
    </form>
  );
}
