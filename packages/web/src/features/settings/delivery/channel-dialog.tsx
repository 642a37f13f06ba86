import {
  type AlertChannel,
  type AlertSettings,
  channelState,
  updateAlertSettings,
} from "@flamekeep/contract";
import { call } from "#api/call.ts";
import { useForm } from "#ui/controls/form-problems.tsx";
import { FormDialog } from "#ui/overlays/form-dialog.tsx";
import { ChannelInput } from "./channel-fields.tsx";
import { changeOf, draftOf, formOf, problemsOf } from "./model.ts";
import { useSettingsSaved } from "./use-settings-change.ts";

interface ChannelDialogProps {
  readonly channel: AlertChannel;
  readonly settings: AlertSettings;
  readonly onClose: () => void;
}

export function ChannelDialog({ channel, settings, onClose }: ChannelDialogProps) {
  const { title, dialogTitle, instruction, fields } = formOf(channel);
  const form = useForm({
    initial: () => draftOf(channel, settings),
    check: (draft) => problemsOf(channel, draft, settings),
    send: (draft) => call(updateAlertSettings, { body: changeOf(channel, draft) }),
    onSent: useSettingsSaved(`${title} is saved`, onClose),
  });
  const { texts, removed } = form.values;
  const setText = (name: string, text: string) => form.set({ texts: { ...texts, [name]: text } });
  return (
    <FormDialog
      form={form}
      title={dialogTitle}
      description={instruction}
      action="Save"
      pending="Saving..."
      failure="Failed to save alert delivery"
      onClose={onClose}
    >
      {fields.map((field) => (
        <ChannelInput
          key={field.name}
          field={field}
          state={channelState(settings, channel)}
          text={texts[field.name] ?? ""}
          isRemoved={removed.includes(field.name)}
          hintOf={form.hintOf}
          onChange={(text) => setText(field.name, text)}
          onRemove={(isRemoved) =>
            form.set({ texts: { ...texts, [field.name]: "" }, removed: isRemoved ? [field.name] : [] })
          }
        />
      ))}
    </FormDialog>
  );
}
