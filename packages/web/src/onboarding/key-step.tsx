import { createApiKey } from "@flamekeep/contract";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { call } from "#api/call.ts";
import { serverText } from "#api/reply.ts";
import { Button } from "#ui/controls/button.tsx";
import { CopyButton } from "#ui/controls/copy-button.tsx";

interface KeyStepProps {
  readonly createdKey: string | undefined;
  readonly onCreated: (key: string) => void;
}

export function KeyStep({ createdKey, onCreated }: KeyStepProps) {
  const client = useQueryClient();
  const creation = useMutation({
    mutationFn: () => call(createApiKey, { body: { name: "First key" } }),
    onSuccess: async (reply) => {
      onCreated(reply.api_key.key);
      await client.invalidateQueries({ queryKey: ["api-keys"] });
    },
  });

  if (createdKey !== undefined) {
    return (
      <div>
        <div className="flex items-center gap-1 rounded-control border border-line bg-bg py-1 pr-1 pl-3">
          <code className="min-w-0 flex-1 truncate font-mono text-code">{createdKey}</code>
          <CopyButton text={createdKey} label="Copy the key" />
        </div>
        <p className="mt-2 text-label text-muted">
          Shown only once; it is filled in below. Create more keys in Settings.
        </p>
      </div>
    );
  }
  return (
    <div>
      <Button variant="primary" disabled={creation.isPending} onClick={() => creation.mutate()}>
        <KeyRound aria-hidden className="size-4" strokeWidth={1.75} />
        {creation.isPending ? "Creating..." : "Create API Key"}
      </Button>
      {creation.isError && (
        <p role="alert" className="mt-2 text-critical-text">
          {serverText(creation.error, "Failed to create API key")}
        </p>
      )}
    </div>
  );
}
