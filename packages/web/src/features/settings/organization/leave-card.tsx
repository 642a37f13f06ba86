import type { Organization } from "@flamekeep/contract";
import { useState } from "react";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { Button } from "#ui/controls/button.tsx";
import { DeleteOrganizationDialog } from "./delete-organization-dialog.tsx";
import { LeaveDialog } from "./leave-dialog.tsx";

interface LeaveCardProps {
  readonly organization: Organization;
  readonly isAdmin: boolean;
}

export function LeaveCard({ organization, isAdmin }: LeaveCardProps) {
  const [step, setStep] = useState<"leave" | "delete">();
  const close = () => setStep(undefined);
  return (
    <Card>
      <CardHeader
        title={isAdmin ? "Leave or delete" : "Leave"}
        detail={
          isAdmin
            ? "The last admin cannot leave. Deleting removes all profiles, for everybody."
            : "You need a new invitation to come back."
        }
        actions={
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => setStep("leave")}>Leave organization</Button>
            {isAdmin && (
              <Button variant="danger" onClick={() => setStep("delete")}>
                Delete organization
              </Button>
            )}
          </div>
        }
      />
      {step === "leave" && <LeaveDialog name={organization.name} onClose={close} />}
      {step === "delete" && <DeleteOrganizationDialog organization={organization} onClose={close} />}
    </Card>
  );
}
