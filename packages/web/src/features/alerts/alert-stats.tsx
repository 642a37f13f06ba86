import type { Alert } from "@flamekeep/contract";
import { sinceOf } from "@flamekeep/contract/alert-text";
import { byIncrease } from "#alert-list/model.ts";
import { countMeasure } from "#format/number.ts";
import { Stat } from "#ui/content/stat.tsx";
import { RelativeTime } from "#ui/content/values.tsx";
import { lastResolved, tallyAlerts } from "./model.ts";

export const statGridClass = "grid grid-cols-2 gap-2 sm:gap-4 lg:grid-cols-4";

/** Counts of the loaded alerts, with the worst of each severity. */
export function AlertStats({ alerts }: { readonly alerts: readonly Alert[] }) {
  const { total, open, muted, critical, warnings, resolved } = tallyAlerts(alerts);
  const last = lastResolved(resolved);
  return (
    <dl className={statGridClass}>
      <Stat
        label="Total"
        value={countMeasure(total)}
        detail={`${open === 0 ? "None" : open} open${muted === 0 ? "" : `, ${muted} muted`}`}
      />
      <Stat label="Critical" value={countMeasure(critical.length)} detail={<Worst alerts={critical} />} />
      <Stat label="Warnings" value={countMeasure(warnings.length)} detail={<Worst alerts={warnings} />} />
      <Stat
        label="Resolved"
        value={countMeasure(resolved.length)}
        detail={
          last === undefined ? (
            "None yet"
          ) : (
            <>
              Last one <RelativeTime at={last} />
            </>
          )
        }
      />
    </dl>
  );
}

function Worst({ alerts }: { readonly alerts: readonly Alert[] }) {
  const [worst] = byIncrease(alerts);
  if (worst === undefined) return "None open";
  return (
    <span className="flex gap-1">
      <span className="truncate">{worst.service},</span>
      {worst.began_error_seconds !== undefined && "about "}
      <RelativeTime at={sinceOf(worst)} />
    </span>
  );
}
