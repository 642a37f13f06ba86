import type { AccountSession } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ReadOnlyNote } from "#layout/read-only-note.tsx";
import { useIsDemo } from "#session/session.ts";
import { sessionsQuery } from "#settings/queries.ts";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { Panel } from "#ui/content/panel.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { Button } from "#ui/controls/button.tsx";
import { EndSessionDialog, SignOutEverywhereDialog } from "./session-dialogs.tsx";
import { SessionRow } from "./session-row.tsx";

type Step =
  | { readonly kind: "list" }
  | { readonly kind: "all" }
  | { readonly kind: "end"; readonly session: AccountSession };

export function Sessions() {
  const isDemo = useIsDemo();
  const [step, setStep] = useState<Step>({ kind: "list" });
  const query = useQuery(sessionsQuery);
  const close = () => setStep({ kind: "list" });
  return (
    <Card>
      <CardHeader
        title="Sessions"
        detail="Where you are signed in. End the ones that you do not know, then change your password."
        actions={
          isDemo ? (
            <ReadOnlyNote />
          ) : (
            <Button variant="danger" onClick={() => setStep({ kind: "all" })}>
              Sign out everywhere
            </Button>
          )
        }
      />
      <Panel
        query={query}
        loading={<SessionsSkeleton />}
        errorTitle="Failed to load sessions"
        empty={({ sessions }) => (sessions.length === 0 ? <NoSessions /> : null)}
      >
        {({ sessions }) => (
          <ul className="divide-y divide-line border-line border-t">
            {sessions.map((each) => (
              <SessionRow
                key={each.id}
                session={each}
                onEnd={() => setStep({ kind: "end", session: each })}
              />
            ))}
          </ul>
        )}
      </Panel>
      {step.kind === "end" && <EndSessionDialog session={step.session} onClose={close} />}
      {step.kind === "all" && <SignOutEverywhereDialog onClose={close} />}
    </Card>
  );
}

function NoSessions() {
  return <p className="border-line border-t px-4 py-6 text-muted">Visitors of the demo have no sessions.</p>;
}

function SessionsSkeleton() {
  return (
    <div role="status" aria-label="Loading sessions" className="flex flex-col border-line border-t">
      {["a", "b"].map((key) => (
        <div key={key} className="flex h-16 items-center px-4">
          <Skeleton className="h-8 w-56" />
        </div>
      ))}
    </div>
  );
}
