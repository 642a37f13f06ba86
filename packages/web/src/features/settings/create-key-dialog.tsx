import { createApiKey, type KeyScope, limits } from "@flamekeep/contract";
import { useQueryClient } from "@tanstack/react-query";
import { call } from "#api/call.ts";
import { Field } from "#ui/controls/field.tsx";
import { useForm } from "#ui/controls/form-problems.tsx";
import { FormDialog } from "#ui/overlays/form-dialog.tsx";
import type { CreatedKey } from "./created-key-dialog.tsx";
import { LabelledSelect } from "./labelled-select.tsx";

interface CreateKeyDialogProps {
  readonly onClose: () => void;
  readonly onCreated: (key: CreatedKey) => void;
}

const scopeOptions: readonly { readonly value: KeyScope; readonly label: string }[] = [
  { value: "ingest", label: "Send profiles and HTTP metrics" },
  { value: "read", label: "Read, for a coding agent" },
];

const validities = [
  { value: "never", label: "Until it is revoked" },
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "1 year" },
] as const;

interface Draft {
  readonly name: string;
  readonly scope: KeyScope;
  readonly validity: (typeof validities)[number]["value"];
}

export function CreateKeyDialog({ onClose, onCreated }: CreateKeyDialogProps) {
  const client = useQueryClient();
  const form = useForm({
    initial: (): Draft => ({ name: "", scope: "ingest", validity: "never" }),
    send: ({ name, scope, validity }) =>
      call(createApiKey, {
        body: { name: name.trim(), scope, expires_in_days: validity === "never" ? null : Number(validity) },
      }),
    onSent: async ({ api_key: { name, key } }) => {
      onCreated({ name, key });
      await client.invalidateQueries({ queryKey: ["api-keys"] });
    },
  });
  const { name, scope, validity } = form.values;
  return (
    <FormDialog
      form={form}
      title="Create API Key"
      description="Name it after the program that will use it, so you know what stops if you revoke it."
      action="Create API Key"
      pending="Creating..."
      failure="Failed to create API key"
      isReady={name.trim() !== ""}
      onClose={onClose}
    >
      <Field
        label="Name"
        placeholder="checkout, production"
        maxLength={limits.apiKeyNameLengthMax}
        autoComplete="off"
        {...form.field("name")}
      />
      <LabelledSelect
        label="Use"
        value={scope}
        options={scopeOptions}
        onChange={(chosen) => form.set({ scope: chosen })}
      />
      <LabelledSelect
        label="Valid for"
        value={validity}
        options={validities}
        onChange={(chosen) => form.set({ validity: chosen })}
      />
    </FormDialog>
  );
}
