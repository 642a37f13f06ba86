import { createApiKey, limits } from "@flamekeep/contract";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { call } from "#api/call.ts";
import { serverText } from "#api/reply.ts";
import { Button } from "#ui/controls/button.tsx";
import { Field } from "#ui/controls/field.tsx";
import { Dialog } from "#ui/overlays/dialog.tsx";
import type { CreatedKey } from "./created-key-dialog.tsx";

interface CreateKeyDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onCreated: (key: CreatedKey) => void;
}

export function CreateKeyDialog({ isOpen, onClose, onCreated }: CreateKeyDialogProps) {
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose()}
      title="Create API Key"
      description="Name it after what will use it, so that you know later what stops when you revoke it."
    >
      <CreateKeyForm onClose={onClose} onCreated={onCreated} />
    </Dialog>
  );
}

function CreateKeyForm({ onClose, onCreated }: Omit<CreateKeyDialogProps, "isOpen">) {
  const client = useQueryClient();
  const [name, setName] = useState("");
  const creation = useMutation({
    mutationFn: (trimmed: string) => call(createApiKey, { body: { name: trimmed } }),
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
      {creation.isError && (
        <p role="alert" className="text-critical-text">
          {serverText(creation.error, "Failed to create API key")}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button variant="ghost" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" variant="primary" disabled={!isReady}>
          {creation.isPending ? "Creating..." : "Create API Key"}
        </Button>
      </div>
    </form>
  );
}
