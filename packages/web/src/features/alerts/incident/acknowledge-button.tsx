import type { Incident } from "@flamekeep/contract";
import { CircleCheck, UserCheck } from "lucide-react";
import { Button } from "#ui/controls/button.tsx";
import { useAcknowledgeIncident } from "./use-incident-actions.ts";

/** Acknowledges all open signals of an incident, or takes that back. */
export function AcknowledgeButton({ incident }: { readonly incident: Incident }) {
  const { mutate, isPending } = useAcknowledgeIncident(incident);
  if (incident.status === "resolved") return null;
  const { acknowledged, service } = incident;
  const isAcknowledged = acknowledged !== undefined;
  const Icon = isAcknowledged ? CircleCheck : UserCheck;
  return (
    <Button
      size="sm"
      disabled={isPending}
      aria-label={
        isAcknowledged
          ? `Acknowledged: take it back for the incident of ${service}`
          : `Acknowledge the incident of ${service}`
      }
      title={
        isAcknowledged
          ? `Acknowledged by ${acknowledged.by ?? "a former member"}. Click to take it back.`
          : "Say that you work on it"
      }
      className={isAcknowledged ? "bg-surface-2!" : ""}
      onClick={() => mutate(!isAcknowledged)}
    >
      <Icon aria-hidden className="size-3.5" strokeWidth={1.75} />
      {isAcknowledged ? "Acknowledged" : "Acknowledge"}
    </Button>
  );
}
