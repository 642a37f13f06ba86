import { createApiKey, type KeyScope, limits } from "@flamekeep/contract";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { call } from "#api/call.ts";
import { serverText } from "#api/reply.ts";
import { Field } from "#ui/controls/field.tsx";
import { FormProblems } from "#ui/controls/form-problems.tsx";
import { Dialog } from "#ui/overlays/dialog.tsx";
import { DialogActions } from "#ui/overlays/dialog-actions.tsx";
import type { CreatedKey } from "./created-key-dialog.tsx";
import { LabelledSelect } from "./labelled-select.tsx";

interface CreateKeyDialogProps {
  readonly isOpen: boolean;
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

export function CreateKeyDialog({ isOpen, onClose, onCreated }: CreateKeyDialogProps) {
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose()}
      title="Create API Key"
      description="Name it after the program that will use it, so you know what stops if you revoke it."
    >
      <CreateKeyForm onClose={onClose} onCreated={onCreated} />
    </Dialog>
  );
}

function CreateKeyForm({ onClose, onCreated }: Omit<CreateKeyDialogProps, "isOpen">) {
  const client = useQueryClient();
  const [name, setName] = useState("");
  const [scope, setScope] = useState<KeyScope>("ingest");
  const [validity, setValidity] = useState<(typeof validities)[number]["value"]>("never");
  const expires_in_days = validity === "never" ? null : Number(validity);
  const creation = useMutation({
    mutationFn: (trimmed: string) => call(createApiKey, { body: { name: trimmed, scope, expires_in_days } }),
    onSuccess: async (reply) => {
      onCreated({ name: reply.api_key.name, key: reply.api_key.key });
      await client.invalidateQueries({ queryKey: ["api-keys"] });
    },
  });
  const isReady = name.trim() !== "" && !creation.isPending;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (isReady) creation.mutate(name.trim());
  }

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      <Field
        label="Name"
        name="name"
        placeholder="checkout, production"
        maxLength={limits.apiKeyNameLengthMax}
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <LabelledSelect label="Use" value={scope} options={scopeOptions} onChange={setScope} />
      <LabelledSelect label="Valid for" value={validity} options={validities} onChange={setValidity} />
      <FormProblems
        problems={[]}
        failure={creation.error ? serverText(creation.error, "Failed to create API key") : undefined}
      />
      <DialogActions
        label={creation.isPending ? "Creating..." : "Create API Key"}
        isDisabled={!isReady}
        onCancel={onClose}
      />
    </form>
  );
}
