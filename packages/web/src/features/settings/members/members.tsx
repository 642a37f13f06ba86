import type { Member } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ReadOnlyNote } from "#layout/read-only-note.tsx";
import { membersQuery } from "#session/members-query.ts";
import { useIsAdmin, useIsDemo } from "#session/session.ts";
import { AdminNote } from "#settings/admin-note.tsx";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { Panel } from "#ui/content/panel.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { Invitations } from "./invitations.tsx";
import { RemoveMemberDialog, TransferDialog } from "./member-dialogs.tsx";
import { MemberRow } from "./member-row.tsx";

type Step = { readonly kind: "remove" | "transfer"; readonly member: Member } | undefined;

export function Members() {
  const isDemo = useIsDemo();
  if (isDemo) {
    return (
      <Card>
        <CardHeader title="Members" actions={<ReadOnlyNote />} />
        <p className="border-line border-t px-4 py-6 text-muted">
          The organization of the demo has no members.
        </p>
      </Card>
    );
  }
  return <OfOrganization />;
}

function OfOrganization() {
  const isAdmin = useIsAdmin();
  const query = useQuery(membersQuery);
  const [step, setStep] = useState<Step>();
  const close = () => setStep(undefined);
  return (
    <div className="flex flex-col gap-4">
      <Card>
        <CardHeader
          title="Members"
          detail="Admins manage people and settings, members send and analyze profiles, viewers read."
          actions={!isAdmin && <AdminNote />}
        />
        <Panel query={query} loading={<MembersSkeleton />} errorTitle="Failed to load members">
          {({ members }) => (
            <ul className="divide-y divide-line border-line border-t">
              {members.map((member) => (
                <MemberRow
                  key={member.id}
                  member={member}
                  isEditable={isAdmin}
                  onRemove={() => setStep({ kind: "remove", member })}
                  onTransfer={() => setStep({ kind: "transfer", member })}
                />
              ))}
            </ul>
          )}
        </Panel>
      </Card>
      {isAdmin && <Invitations />}
      {step?.kind === "remove" && <RemoveMemberDialog member={step.member} onClose={close} />}
      {step?.kind === "transfer" && <TransferDialog member={step.member} onClose={close} />}
    </div>
  );
}

function MembersSkeleton() {
  return (
    <div role="status" aria-label="Loading members" className="flex flex-col border-line border-t">
      {["a", "b"].map((key) => (
        <div key={key} className="flex h-16 items-center px-4">
          <Skeleton className="h-8 w-56" />
        </div>
      ))}
    </div>
  );
}
