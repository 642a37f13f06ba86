import { type ChannelField, type ChannelState, limits } from "@flamekeep/contract";
import { LabelledSelect } from "#settings/labelled-select.tsx";
import { Field } from "#ui/controls/field.tsx";

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
export function ChannelInput(props: ChannelInputProps) {
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
        <label className="-mt-2 flex items-center gap-2">
          <input
            type="checkbox"
            name={`${field.name}_removal`}
            checked={isRemoved}
            onChange={(event) => onRemove(event.target.checked)}
            className="size-4 accent-accent"
          />
          {field.removal}
        </label>
      )}
    </>
  );
}

const storedText = ({ noun }: ChannelField) => `The ${noun} is stored. Leave empty to keep it.`;

function keptText({ is_set: isSet, origin }: ChannelState): string | undefined {
  if (!isSet) return undefined;
  const kept = typeof origin === "string" ? `the one at ${origin}` : "the stored one";
  return `Leave empty to keep ${kept}. It is not shown, because it allows others to post.`;
}
