import { type ApiKey, createApiKey, type KeyScope, limits, revokeApiKey } from "@flamekeep/contract";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Eye, EyeOff, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { call } from "#api/call.ts";
import { serverText } from "#api/reply.ts";
import { LabelledSelect } from "#settings/parts/parts.tsx";
import { Button } from "#ui/controls/button.tsx";
import { CopyButton } from "#ui/controls/copy-button.tsx";
import { Field } from "#ui/controls/field.tsx";
import { useForm } from "#ui/controls/form-problems.tsx";
import { ConfirmDialog } from "#ui/overlays/confirm-dialog.tsx";
import { Dialog } from "#ui/overlays/dialog.tsx";
import { FormDialog } from "#ui/overlays/form-dialog.tsx";
import { showToast } from "#ui/overlays/toast.ts";

export interface CreatedKey {
  readonly name: string;
  readonly key: string;
}

interface CreatedKeyDialogProps {
  readonly created: CreatedKey;
  readonly onClose: () => void;
}

export function CreatedKeyDialog({ created, onClose }: CreatedKeyDialogProps) {
  const [isShown, setIsShown] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <Dialog
      isOpen
      isDismissible={false}
      onOpenChange={(open) => !open && onClose()}
      title="API Key Created Successfully"
      description={created.name}
    >
      <div className="flex items-center gap-1 rounded-control border border-line-strong bg-bg py-1.5 pr-1.5 pl-3">
        <code className="min-w-0 flex-1 break-all font-mono text-code" data-testid="api-key">
          {isShown ? created.key : maskedKey(created.key)}
        </code>
        <Button
          variant="ghost"
          size="sm"
          aria-label={isShown ? "Hide key" : "Show key"}
          onClick={() => setIsShown(!isShown)}
        >
          <Icon aria-hidden className="size-4" strokeWidth={1.75} />
        </Button>
        <CopyButton text={created.key} label="Copy key" />
      </div>
      <p className="mt-4 flex gap-2 rounded-control bg-warning/12 px-3 py-2.5 text-warning-text">
        <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" strokeWidth={1.75} />
        <span>
          This is the only time the full key is shown. Keep it where your service reads its secrets, and send
          it in the <code className="whitespace-nowrap font-mono text-code">X-API-Key</code> header.
        </span>
      </p>
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

interface RevokeKeyDialogProps {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
}

export function RevokeKeyDialog({ apiKey, onClose }: RevokeKeyDialogProps) {
  const client = useQueryClient();
  const revocation = useMutation({
    mutationFn: () => call(revokeApiKey, { params: { id: apiKey.id } }),
    onSuccess: async () => {
      showToast(`${apiKey.name} is revoked`);
      onClose();
      await client.invalidateQueries({ queryKey: ["api-keys"] });
    },
  });
  return (
    <ConfirmDialog
      title={`Revoke ${apiKey.name}?`}
      description="Programs that send profiles with this key are refused from now on. A revoked key cannot be restored."
      action="Revoke key"
      isPending={revocation.isPending}
      failure={revocation.error ? serverText(revocation.error, "Failed to revoke API key") : undefined}
      onConfirm={() => revocation.mutate()}
      onClose={onClose}
    />
  );
}
