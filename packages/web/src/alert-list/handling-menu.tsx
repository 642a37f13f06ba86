import { type Alert, acknowledgeAlert, expectAlert } from "@flamekeep/contract";
import { isFault } from "@flamekeep/contract/alert-text";
import { CircleCheck, CircleX, Ellipsis, UserCheck, UserX } from "lucide-react";
import { Suspense, useState } from "react";
import { call } from "#api/call.ts";
import { lazyPart } from "#api/import-page.ts";
import { profileTypeLabel } from "#format/names.ts";
import { Button } from "#ui/controls/button.tsx";
import { Menu, MenuItem } from "#ui/controls/menu.tsx";
import { useChange } from "#ui/overlays/use-change.ts";
import { queriesOfAlerts } from "./queries.ts";

/** Loaded when it opens: pages without it would load its form, too. */
const ExpectDialog = lazyPart(async () => (await import("./expect-dialog.tsx")).ExpectDialog);

/** The menu of an alert: acknowledge an open one, mark it as expected, or take that back. */
export function HandlingMenu({ alert }: { readonly alert: Alert }) {
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
              {isAcknowledged ? "Remove acknowledgement" : "Acknowledge"}
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

/** Says that somebody works on an alert, or takes it back. */
function useAcknowledge(alert: Alert): (isAcknowledged: boolean) => void {
  return useChange({
    send: (isAcknowledged: boolean) =>
      call(acknowledgeAlert, { params: { id: alert.id }, body: { is_acknowledged: isAcknowledged } }),
    stale: queriesOfAlerts,
    done: (_reply, isAcknowledged) =>
      `${profileTypeLabel(alert.profile_type)} alert of ${alert.service} ${isAcknowledged ? "acknowledged" : "is no longer acknowledged"}`,
  }).mutate;
}

/** The alert stays resolved; its series is compared as if nobody had marked it as expected. */
function useTakeBackExpected(alert: Alert): () => void {
  return useChange({
    send: () => call(expectAlert, { params: { id: alert.id }, body: { is_expected: false } }),
    stale: queriesOfAlerts,
    done: () =>
      `${profileTypeLabel(alert.profile_type)} of ${alert.service} is compared with its old baseline again`,
  }).mutate;
}
