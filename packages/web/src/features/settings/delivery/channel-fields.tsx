import { type AlertSettings, limits } from "@flamekeep/contract";
import { LabelledSelect } from "#settings/labelled-select.tsx";
import { Field } from "#ui/controls/field.tsx";
import type { ChannelDraft, UrlChannel } from "./model.ts";

interface FieldsProps {
  readonly draft: ChannelDraft;
  readonly settings: AlertSettings;
  readonly hintOf: (field: string, hint?: string) => { readonly hint?: string; readonly isInvalid: boolean };
  readonly onChange: (part: Partial<ChannelDraft>) => void;
}

const examples = {
  webhook: "https://hooks.example.com/flamekeep",
  slack: "https://hooks.slack.com/services/...",
  teams: "https://prod-00.westeurope.logic.azure.com/workflows/...",
};

/** Stored addresses are secret: the field starts empty and keeps the stored one if it stays so. */
export function UrlField({
  channel,
  draft,
  settings,
  hintOf,
  onChange,
}: FieldsProps & { readonly channel: UrlChannel }) {
  const { is_set: isSet, origin } = settings[channel];
  const kept = origin === null ? "the stored one" : `the one at ${origin}`;
  return (
    <Field
      label="URL"
      name="url"
      type="url"
      inputMode="url"
      autoComplete="off"
      placeholder={examples[channel]}
      maxLength={limits.deliveryUrlLengthMax}
      value={draft.url}
      onChange={(event) => onChange({ url: event.target.value })}
      {...hintOf(
        "url",
        isSet ? `Leave empty to keep ${kept}. It is not shown, because it allows others to post.` : undefined,
      )}
    />
  );
}

export function WebhookFields(props: FieldsProps) {
  const { draft, settings, hintOf, onChange } = props;
  const isSigned = settings.webhook.is_signed;
  return (
    <>
      <UrlField {...props} channel="webhook" />
      <Field
        label="Secret (optional)"
        name="secret"
        type="password"
        autoComplete="new-password"
        disabled={draft.removesSecret}
        value={draft.secret}
        onChange={(event) => onChange({ secret: event.target.value })}
        {...hintOf(
          "secret",
          isSigned
            ? "A secret is stored. Leave empty to keep it."
            : `Signs each message in X-Flamekeep-Signature. At least ${limits.webhookSecretLengthMin} characters.`,
        )}
      />
      {isSigned && (
        <label className="-mt-2 flex items-center gap-2">
          <input
            type="checkbox"
            name="removes_secret"
            checked={draft.removesSecret}
            onChange={(event) => onChange({ removesSecret: event.target.checked, secret: "" })}
            className="size-4 accent-accent"
          />
          Stop signing and delete the secret
        </label>
      )}
    </>
  );
}

const regions = [
  { value: "us", label: "US: app.pagerduty.com" },
  { value: "eu", label: "EU: app.eu.pagerduty.com" },
] as const;

export function PagerDutyFields({ draft, settings, hintOf, onChange }: FieldsProps) {
  return (
    <>
      <Field
        label="Integration key"
        name="routingKey"
        type="password"
        autoComplete="off"
        value={draft.routingKey}
        onChange={(event) => onChange({ routingKey: event.target.value })}
        {...hintOf(
          "routingKey",
          settings.pagerduty.is_set ? "A key is stored. Leave empty to keep it." : "32 letters and digits.",
        )}
      />
      <LabelledSelect
        label="Service region"
        value={draft.region}
        options={regions}
        onChange={(region) => onChange({ region })}
      />
    </>
  );
}

export function EmailFields({ draft, hintOf, onChange }: FieldsProps) {
  return (
    <Field
      label="Addresses"
      name="emails"
      placeholder="oncall@example.com"
      autoComplete="off"
      render={<textarea rows={4} />}
      className="h-auto! py-2"
      value={draft.emails}
      onChange={(event) => onChange({ emails: event.target.value })}
      {...hintOf("emails", "One on each line, or separated by commas.")}
    />
  );
}
