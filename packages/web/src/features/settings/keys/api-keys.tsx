import type { ApiKey } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { KeyRound, Plus } from "lucide-react";
import { useState } from "react";
import { ReadOnlyNote } from "#layout/read-only-note.tsx";
import { useMayChange } from "#session/session.ts";
import { ListCard, LoadingRows, NothingListed, Pages } from "#settings/parts/parts.tsx";
import { apiKeysQuery } from "#settings/parts/queries.ts";
import { Button } from "#ui/controls/button.tsx";
import { ApiKeyRow } from "./api-key-row.tsx";
import { type CreatedKey, CreatedKeyDialog, CreateKeyDialog, RevokeKeyDialog } from "./key-dialogs.tsx";

type Step =
  | { readonly kind: "list" }
  | { readonly kind: "create" }
  | { readonly kind: "created"; readonly key: CreatedKey }
  | { readonly kind: "revoke"; readonly key: ApiKey };

export function ApiKeys() {
  const [page, setPage] = useState(1);
  const [step, setStep] = useState<Step>({ kind: "list" });
  const query = useQuery(apiKeysQuery(page));
  const mayChange = useMayChange();
  const { total = 0, page_size = 1 } = query.data ?? {};
  const pages = Math.ceil(total / page_size);
  const close = () => setStep({ kind: "list" });
  return (
    <>
      <ListCard
        title="API Keys"
        detail="Services send profiles with a key in the X-API-Key header. Expand a key to see its uploads and rejected requests."
        actions={
          mayChange ? (
            <Button variant="primary" onClick={() => setStep({ kind: "create" })}>
              <Plus aria-hidden className="size-4" strokeWidth={2} />
              Create API Key
            </Button>
          ) : (
            <ReadOnlyNote />
          )
        }
        query={query}
        nouns="API keys"
        loading={<LoadingRows nouns="API keys" count={3} className="h-8 w-56" gapClass="gap-8.25" />}
        items={({ api_keys }) => api_keys}
        nothing={
          <NothingListed icon={KeyRound} title="No API keys">
            Create one per sender, so that each can be revoked separately.
          </NothingListed>
        }
        footer={
          pages > 1 && (
            <Pages
              before={["Previous", page === 1 ? undefined : () => setPage(page - 1)]}
              after={["Next", page >= pages ? undefined : () => setPage(page + 1)]}
            >
              Page {page} of {pages}
            </Pages>
          )
        }
      >
        {(key) => (
          <ApiKeyRow apiKey={key} {...(mayChange && { onRevoke: () => setStep({ kind: "revoke", key }) })} />
        )}
      </ListCard>
      {step.kind === "create" && (
        <CreateKeyDialog onClose={close} onCreated={(key) => setStep({ kind: "created", key })} />
      )}
      {step.kind === "created" && <CreatedKeyDialog created={step.key} onClose={close} />}
      {step.kind === "revoke" && <RevokeKeyDialog apiKey={step.key} onClose={close} />}
    </>
  );
}
