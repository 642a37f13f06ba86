import type { Alert } from "@flamekeep/contract";
import { isFault } from "@flamekeep/contract/alert-text";
import { CircleCheck, CircleX, Ellipsis, UserCheck, UserX } from "lucide-react";
import { Suspense, useState } from "react";
import { lazyPart } from "#api/import-page.ts";
import { profileTypeLabel } from "#format/names.ts";
import { Button } from "#ui/controls/button.tsx";
import { Menu, MenuItem } from "#ui/controls/menu.tsx";
import { useAcknowledge, useTakeBackExpected } from "./use-handling.ts";

/** Loaded when it opens: pages without it would load its form, too. */
const ExpectDialog = lazyPart(async () => (await import("./expect-dialog.tsx")).ExpectDialog);

interface AlertProps {
  readonly alert: Alert;
}

/** The menu of an alert: acknowledge an open one, mark it as expected, or take that back. */
export function HandlingMenu({ alert }: AlertProps) {
  const [isExpecting, setIsExpecting] = useState(false);
  const acknowledge = useAcknowledge(alert);
  const takeBackExpected = useTakeBackExpected(alert);
  const isOpen = alert.status === "open";
  if (!isOpen && alert.expected === undefined) return null;
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
        {isOpen ? (
          <>
            <MenuItem onSelect={() => acknowledge(!isAcknowledged)}>
              <Icon aria-hidden strokeWidth={1.75} />
              {isAcknowledged ? "Take back the acknowledgement" : "Acknowledge"}
            </MenuItem>
            {!alert.rule && !isFault(alert) && (
              <MenuItem onSelect={() => setIsExpecting(true)}>
                <CircleCheck aria-hidden strokeWidth={1.75} />
                Mark as expected...
              </MenuItem>
            )}
          </>
        ) : (
          <MenuItem onSelect={takeBackExpected}>
            <CircleX aria-hidden strokeWidth={1.75} />
            No longer expected
          </MenuItem>
        )}
      </Menu>
      {isExpecting && (
        <Suspense>
          <ExpectDialog alert={alert} onClose={() => setIsExpecting(false)} />
        </Suspense>
      )}
    </>
  );
}
