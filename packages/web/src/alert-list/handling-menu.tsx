import type { Alert } from "@flamekeep/contract";
import { CircleCheck, Ellipsis, UserCheck, UserX } from "lucide-react";
import { useState } from "react";
import { serverText } from "#api/reply.ts";
import { profileTypeLabel } from "#format/names.ts";
import { percentText } from "#format/number.ts";
import { exactTime } from "#format/time.ts";
import { useZone } from "#preferences/time-zone.ts";
import { Badge } from "#ui/content/badge.tsx";
import { Button } from "#ui/controls/button.tsx";
import { Menu, MenuItem } from "#ui/controls/menu.tsx";
import { ConfirmDialog } from "#ui/overlays/confirm-dialog.tsx";
import { useAcknowledge, useExpect } from "./use-handling.ts";

interface AlertProps {
  readonly alert: Alert;
}

/** The menu of an open alert: acknowledge, mark as expected. */
export function HandlingMenu({ alert }: AlertProps) {
  const [isExpecting, setIsExpecting] = useState(false);
  const acknowledge = useAcknowledge(alert);
  if (alert.status === "resolved") return null;
  const label = `Handle the ${profileTypeLabel(alert.profile_type)} alert of ${alert.service}`;
  const isAcknowledged = alert.acknowledged !== undefined;
  const Icon = isAcknowledged ? UserX : UserCheck;
  return (
    <>
      <Menu
        trigger={
          <Button variant="ghost" size="icon" className="md:size-7!" aria-label={label} title={label}>
            <Ellipsis aria-hidden className="size-4" strokeWidth={1.75} />
          </Button>
        }
      >
        <MenuItem onSelect={() => acknowledge(!isAcknowledged)}>
          <Icon aria-hidden strokeWidth={1.75} />
          {isAcknowledged ? "Take back the acknowledgement" : "Acknowledge"}
        </MenuItem>
        <MenuItem onSelect={() => setIsExpecting(true)}>
          <CircleCheck aria-hidden strokeWidth={1.75} />
          Mark as expected...
        </MenuItem>
      </Menu>
      {isExpecting && <ExpectDialog alert={alert} onClose={() => setIsExpecting(false)} />}
    </>
  );
}

function ExpectDialog({ alert, onClose }: AlertProps & { readonly onClose: () => void }) {
  const expecting = useExpect(alert, onClose);
  const series = `${profileTypeLabel(alert.profile_type)} of ${alert.service}`;
  return (
    <ConfirmDialog
      title="Mark as expected?"
      description={`${series} is up ${percentText(alert.percent_change)}. The alert resolves, and the next one compares with the new level.`}
      action="Mark as expected"
      isPending={expecting.isPending}
      failure={
        expecting.error ? serverText(expecting.error, "Failed to mark the alert as expected") : undefined
      }
      onConfirm={() => expecting.mutate()}
      onClose={onClose}
    />
  );
}

/** The acknowledgement of an open alert, or the acceptance of a resolved one. */
export function HandlingBadge({ alert: { acknowledged, expected, status } }: AlertProps) {
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
  return (
    <Badge
      className="min-w-0 max-w-full"
      title={`Acknowledged by ${nameOf(acknowledged.by)}, ${exactTime(acknowledged.at, zone)}`}
    >
      <UserCheck aria-hidden className="size-3 shrink-0" strokeWidth={1.75} />
      <span className="truncate">{nameOf(acknowledged.by)}</span>
    </Badge>
  );
}

function nameOf(by: string | null): string {
  return by ?? "a former member";
}
