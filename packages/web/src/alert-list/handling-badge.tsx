import type { Alert } from "@flamekeep/contract";
import { CircleCheck, UserCheck } from "lucide-react";
import { exactTime } from "#format/time.ts";
import { useZone } from "#preferences/time-zone.ts";
import { Badge } from "#ui/content/badge.tsx";

/** The acknowledgement of an open alert, or the acceptance of a resolved one. */
export function HandlingBadge({ alert: { acknowledged, expected, status } }: { readonly alert: Alert }) {
  const zone = useZone();
  if (expected !== undefined) {
    return (
      <Badge title={`Marked as expected by ${nameOf(expected.by)}, ${exactTime(expected.at, zone)}`}>
        <CircleCheck aria-hidden className="size-3" strokeWidth={1.75} />
        Expected
      </Badge>
    );
  }
  if (acknowledged === undefined || status === "resolved") return null;
  return <Acknowledgement acknowledged={acknowledged} />;
}

interface AcknowledgementProps {
  readonly acknowledged: NonNullable<Alert["acknowledged"]>;
}

/** The person who works on it; the time on hover. */
export function Acknowledgement({ acknowledged: { by, at } }: AcknowledgementProps) {
  const zone = useZone();
  return (
    <Badge className="min-w-0 max-w-full" title={`Acknowledged by ${nameOf(by)}, ${exactTime(at, zone)}`}>
      <UserCheck aria-hidden className="size-3 shrink-0" strokeWidth={1.75} />
      <span className="truncate">{nameOf(by)}</span>
    </Badge>
  );
}

function nameOf(by: string | null): string {
  return by ?? "a former member";
}
