import type { ApiKey } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { KeyRound, Plus } from "lucide-react";
import { useState } from "react";
import { ReadOnlyNote } from "#layout/read-only-note.tsx";
import { useMayChange } from "#session/session.ts";
import { apiKeysQuery } from "#settings/parts/queries.ts";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { Message } from "#ui/content/message.tsx";
import { Panel } from "#ui/content/panel.tsx";
import { SkeletonBlocks } from "#ui/content/skeleton.tsx";
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
  const close = () => setStep({ kind: "list" });
  return (
    <Card>
      <CardHeader
        title="API Keys"
        detail="Services send profiles with a key in the X-API-Key header. Open a key to see what it sent and why it was refused."
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
      />
      <Panel
        query={query}
        loading={
          <SkeletonBlocks
            label="Loading API keys"
            count={3}
            className="h-8 w-56"
            layoutClass="flex flex-col gap-8.25 border-line border-t p-4"
          />
        }
        errorTitle="Failed to load API keys"
        empty={(list) => (list.total === 0 ? <NoKeys /> : null)}
      >
        {(list) => (
          <ul className="divide-y divide-line border-line border-t">
            {list.api_keys.map((key) => (
              <ApiKeyRow
                key={key.id}
                apiKey={key}
                {...(mayChange && { onRevoke: () => setStep({ kind: "revoke", key }) })}
              />
            ))}
          </ul>
        )}
      </Panel>
      {query.data && <Pages list={query.data} page={page} onPage={setPage} />}
      {step.kind === "create" && (
        <CreateKeyDialog onClose={close} onCreated={(key) => setStep({ kind: "created", key })} />
      )}
      {step.kind === "created" && <CreatedKeyDialog created={step.key} onClose={close} />}
      {step.kind === "revoke" && <RevokeKeyDialog apiKey={step.key} onClose={close} />}
    </Card>
  );
}

function NoKeys() {
  return (
    <div className="border-line border-t">
      <Message icon={KeyRound} title="No API keys">
        <p>
          Create one for each program that sends profiles; a key can be revoked without touching the others.
        </p>
      </Message>
    </div>
  );
}

interface PagesProps {
  readonly list: { readonly total: number; readonly page_size: number };
  readonly page: number;
  readonly onPage: (page: number) => void;
}

function Pages({ list, page, onPage }: PagesProps) {
  const pages = Math.ceil(list.total / list.page_size);
  if (pages <= 1) return null;
  return (
    <footer className="flex items-center justify-end gap-2 border-line border-t px-4 py-2.5 text-label text-muted">
      Page {page} of {pages}
      <Button size="sm" disabled={page === 1} onClick={() => onPage(page - 1)}>
        Previous
      </Button>
      <Button size="sm" disabled={page >= pages} onClick={() => onPage(page + 1)}>
        Next
      </Button>
    </footer>
  );
}
