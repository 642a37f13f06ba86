import { type ApiKey, createApiKey, limits, revokeApiKey } from "@flamekeep/contract";
import { useQueryClient } from "@tanstack/react-query";
import { Eye, EyeOff } from "lucide-react";
import { useState } from "react";
import { call } from "#api/call.ts";
import { SecretLine } from "#ui/content/code-block.tsx";
import { Warning } from "#ui/content/message.tsx";
import { Button } from "#ui/controls/button.tsx";
import { Field } from "#ui/controls/field.tsx";
import { useForm } from "#ui/controls/form-problems.tsx";
import { LabelledSelect } from "#ui/controls/select.tsx";
import { ConfirmDialog } from "#ui/overlays/confirm-dialog.tsx";
import { type Closable, Dialog } from "#ui/overlays/dialog.tsx";
import { FormDialog } from "#ui/overlays/form-dialog.tsx";

export interface CreatedKey {
  readonly name: string;
  readonly key: string;
}

export function CreatedKeyDialog({ created, onClose }: Closable & { readonly created: CreatedKey }) {
  const [isShown, setIsShown] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <Dialog
      isDismissible={false}
      onClose={onClose}
      title="API Key Created Successfully"
      description={created.name}
    >
      <SecretLine
        text={created.key}
        testId="api-key"
        copyLabel="Copy key"
        masked={isShown ? undefined : maskedKey(created.key)}
      >
        <Button
          variant="ghost"
          size="sm"
          aria-label={isShown ? "Hide key" : "Show key"}
          onClick={() => setIsShown(!isShown)}
        >
          <Icon aria-hidden className="size-4" strokeWidth={1.75} />
        </Button>
      </SecretLine>
      <Warning className="mt-4">
        This is the only time the full key is shown. Store it with your service's secrets, and send it in the{" "}
        <code className="whitespace-nowrap font-mono text-code">X-API-Key</code> header.
      </Warning>
      <div className="mt-5 flex justify-end">
        <Button variant="primary" onClick={onClose}>
          I've Copied the Key
        </Button>
      </div>
    </Dialog>
  );
}

const visibleStart = 6;

/** The start of a key, and dots for the other characters. */
export function maskedKey(key: string): string {
  return key.slice(0, visibleStart) + "•".repeat(Math.max(0, key.length - visibleStart));
}

interface CreateKeyDialogProps extends Closable {
  readonly onCreated: (key: CreatedKey) => void;
}

const uses = [
  { value: "ingest", label: "Send profiles and HTTP metrics", scope: "ingest" },
  { value: "datadog", label: "Send with Datadog's libraries", scope: "ingest" },
  { value: "read", label: "Read, for a coding agent or Grafana", scope: "read" },
  { value: "read_write", label: "Read and write, for a coding agent", scope: "read_write" },
] as const;

const validities = [
  { value: "never", label: "Until revoked" },
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "1 year" },
] as const;

interface Draft {
  readonly name: string;
  readonly use: (typeof uses)[number]["value"];
  readonly validity: (typeof validities)[number]["value"];
}

export function CreateKeyDialog({ onClose, onCreated }: CreateKeyDialogProps) {
  const client = useQueryClient();
  const form = useForm({
    initial: (): Draft => ({ name: "", use: "ingest", validity: "never" }),
    send: ({ name, use, validity }) =>
      call(createApiKey, {
        body: {
          name: name.trim(),
          scope: uses.find(({ value }) => value === use)!.scope,
          format: use === "datadog" ? "datadog" : "flamekeep",
          expires_in_days: validity === "never" ? null : Number(validity),
        },
      }),
    onSent: async ({ api_key: { name, key } }) => {
      onCreated({ name, key });
      await client.invalidateQueries({ queryKey: ["api-keys"] });
    },
  });
  return (
    <FormDialog
      form={form}
      title="Create API Key"
      description="Name it after the program that uses it."
      action="Create API Key"
      pending="Creating..."
      failure="Failed to create API key"
      isReady={form.values.name.trim() !== ""}
      onClose={onClose}
    >
      <Field
        label="Name"
        placeholder="checkout, production"
        maxLength={limits.apiKeyNameLengthMax}
        autoComplete="off"
        {...form.field("name")}
      />
      <LabelledSelect label="Use" options={uses} {...form.choice("use")} />
      <LabelledSelect label="Valid for" options={validities} {...form.choice("validity")} />
    </FormDialog>
  );
}

export function RevokeKeyDialog({ apiKey, onClose }: Closable & { readonly apiKey: ApiKey }) {
  return (
    <ConfirmDialog
      title={`Revoke ${apiKey.name}?`}
      description="Uploads with this key are rejected from now on. A revoked key cannot be restored."
      action="Revoke key"
      failure="Failed to revoke API key"
      send={() => call(revokeApiKey, { params: { id: apiKey.id } })}
      done={() => `${apiKey.name} is revoked`}
      stale={[{ queryKey: ["api-keys"] }]}
      onClose={onClose}
    />
  );
}
