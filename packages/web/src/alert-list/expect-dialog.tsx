import { type Alert, expectAlert } from "@flamekeep/contract";
import { call } from "#api/call.ts";
import { profileTypeLabel } from "#format/names.ts";
import { percentText } from "#format/number.ts";
import { ConfirmDialog } from "#ui/overlays/confirm-dialog.tsx";
import type { Closable } from "#ui/overlays/dialog.tsx";
import { queriesOfAlerts } from "./queries.ts";
import { alertSentence } from "./values.ts";

/** Asks before an alert is marked as expected, which resolves it. */
export function ExpectDialog({ alert, onClose }: Closable & { readonly alert: Alert }) {
  const series = `${profileTypeLabel(alert.profile_type)} of ${alert.service}`;
  return (
    <ConfirmDialog
      title="Mark as expected?"
      description={
        alert.signal === "silence"
          ? `${alertSentence(alert)} The alert resolves. The next silence opens a new one.`
          : alert.signal === "function"
            ? `${alertSentence(alert)} The alert resolves. A new one opens if its functions rise as much again.`
            : `${series} is up ${percentText(alert.percent_change)}. The alert resolves, and the new level becomes the baseline.`
      }
      action="Mark as expected"
      failure="Failed to mark the alert as expected"
      send={() => call(expectAlert, { params: { id: alert.id }, body: { is_expected: true } })}
      done={() => `${profileTypeLabel(alert.profile_type)} alert of ${alert.service} is expected`}
      stale={queriesOfAlerts}
      onClose={onClose}
    />
  );
}
