import { IncidentHead } from "#alerts/incident/incident-head.tsx";
import type { ListOrder, ShownIncident } from "#alerts/model.ts";
import { signalCountText } from "#alerts/model.ts";
import type { AlertSort } from "#alerts/search.ts";
import { SignalCard } from "#alerts/signal/signal-card.tsx";
import { useIsNarrow } from "#ui/hooks/use-media.ts";
import { IncidentTable } from "./incident-table.tsx";

interface IncidentListProps extends ListOrder {
  readonly incidents: readonly ShownIncident[];
  readonly onSort: (sort: AlertSort) => void;
}

/** A group of rows for each incident; on narrow screens a list of its signals. */
export function IncidentList({ incidents, ...order }: IncidentListProps) {
  const isNarrow = useIsNarrow();
  if (!isNarrow) return <IncidentTable incidents={incidents} {...order} />;
  return (
    <ul className="divide-y divide-line border-line border-t">
      {incidents.map((shown) => (
        <li key={shown.incident.id} className="flex flex-col gap-3 px-4 py-3">
          <IncidentHead incident={shown.incident} count={signalCountText(shown)} />
          <SignalCards {...shown} />
        </li>
      ))}
    </ul>
  );
}

function SignalCards({ incident, signals }: ShownIncident) {
  return (
    <ul className="flex flex-col gap-3">
      {signals.map((alert) => (
        <li key={alert.id} className="border-line border-l-2 pl-3">
          <SignalCard alert={alert} incident={incident} />
        </li>
      ))}
    </ul>
  );
}
