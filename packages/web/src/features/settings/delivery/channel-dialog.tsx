import {
  type AlertChannel,
  type AlertSettings,
  type ChannelField,
  type ChannelState,
  channelForms,
  channelState,
  limits,
  updateAlertSettings,
} from "@flamekeep/contract";
import { useQueryClient } from "@tanstack/react-query";
import { call } from "#api/call.ts";
import { Checkbox } from "#settings/parts/parts.tsx";
import { alertSettingsQuery } from "#settings/parts/queries.ts";
import { Field } from "#ui/controls/field.tsx";
import { useForm } from "#ui/controls/form-problems.tsx";
import { LabelledSelect } from "#ui/controls/select.tsx";
import { ConfirmDialog } from "#ui/overlays/confirm-dialog.tsx";
import type { Closable } from "#ui/overlays/dialog.tsx";
import { FormDialog } from "#ui/overlays/form-dialog.tsx";
import { showToast } from "#ui/overlays/toast.ts";
import { changeOf, draftOf, problemsOf, removalOf } from "./model.ts";

interface ChannelDialogProps extends Closable {
  readonly channel: AlertChannel;
  readonly settings: AlertSettings;
}

export function ChannelDialog({ channel, settings, onClose }: ChannelDialogProps) {
  const { title, dialogTitle, instruction, fields } = channelForms[channel];
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

interface ChannelInputProps {
  readonly field: ChannelField;
  /** The stored values. Addresses and secrets are not shown: their field starts empty, and an empty field keeps them. */
  readonly state: ChannelState;
  readonly text: string;
  readonly isRemoved: boolean;
  readonly hintOf: (field: string, hint?: string) => { readonly hint?: string; readonly isInvalid: boolean };
  readonly onChange: (text: string) => void;
  readonly onRemove: (isRemoved: boolean) => void;
}

/** One field of a channel's form. */
function ChannelInput(props: ChannelInputProps) {
  const { field, state, text, hintOf, onChange } = props;
  const { label, name } = field;
  const common = {
    label,
    name,
    autoComplete: "off",
    value: text,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  };
  switch (field.kind) {
    case "url":
      return (
        <Field
          {...common}
          type="url"
          inputMode="url"
          placeholder={field.placeholder}
          maxLength={limits.deliveryUrlLengthMax}
          {...hintOf(name, keptText(state))}
        />
      );
    case "key":
      return (
        <Field {...common} type="password" {...hintOf(name, state.is_set ? storedText(field) : field.hint)} />
      );
    case "secret":
      return <SecretInput {...props} field={field} />;
    case "choice":
      return <LabelledSelect label={label} value={text} options={field.options} onChange={onChange} />;
    case "list":
      return (
        <Field
          {...common}
          placeholder={field.placeholder}
          render={<textarea rows={4} />}
          className="h-auto! py-2"
          {...hintOf(name, field.hint)}
        />
      );
  }
}

function SecretInput({
  field,
  state,
  text,
  isRemoved,
  hintOf,
  onChange,
  onRemove,
}: ChannelInputProps & { readonly field: ChannelField & { readonly kind: "secret" } }) {
  const isStored = state[field.stored] === true;
  return (
    <>
      <Field
        label={field.label}
        name={field.name}
        type="password"
        autoComplete="new-password"
        disabled={isRemoved}
        value={text}
        onChange={(event) => onChange(event.target.value)}
        {...hintOf(field.name, isStored ? storedText(field) : field.hint)}
      />
      {isStored && (
        <Checkbox
          name={`${field.name}_removal`}
          label={field.removal}
          isChecked={isRemoved}
          onChange={onRemove}
          className="-mt-2"
        />
      )}
    </>
  );
}

const storedText = ({ noun }: ChannelField) => `The ${noun} is stored. Leave empty to keep it.`;

function keptText({ is_set: isSet, origin }: ChannelState): string | undefined {
  if (!isSet) return undefined;
  const kept = typeof origin === "string" ? `the one at ${origin}` : "the stored one";
  return `Leave empty to keep ${kept}. It is hidden, because anyone who has it can post.`;
}

export function RemoveChannelDialog({ channel, onClose }: Pick<ChannelDialogProps, "channel" | "onClose">) {
  const { title, inText } = channelForms[channel];
  const onSent = useSettingsSaved(`${title} is removed`, onClose);
  return (
    <ConfirmDialog
      title={`Remove ${inText}?`}
      description="Alerts are no longer sent there. The stored address or key is deleted."
      action="Remove"
      failure="Failed to save alert delivery"
      send={() => call(updateAlertSettings, { body: removalOf(channel) })}
      onSent={onSent}
      onClose={onClose}
    />
  );
}

/** Shows the settings that were saved. */
function useSettingsSaved(success: string, onSaved: () => void) {
  const client = useQueryClient();
  return (settings: AlertSettings) => {
    client.setQueryData(alertSettingsQuery.queryKey, settings);
    showToast(success);
    onSaved();
  };
}
