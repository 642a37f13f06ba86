import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { unitMeasure } from "#charts/model/units.ts";
import { coresMeasure, measureText } from "#format/measure.ts";
import { changeMeasure, countMeasure, plural, wholePercentText } from "#format/number.ts";
import { changeInk } from "#profile-list/cpu-trend.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { Stat } from "#ui/content/stat.tsx";
import { Quantity } from "#ui/content/values.tsx";
import type { GroupTotals, ServiceRow } from "./model.ts";

interface VerdictProps {
  readonly rows: readonly ServiceRow[];
  readonly totals: GroupTotals;
}

/** Which service costs most, and which has the most open alerts. */
export function Verdict({ rows, totals }: VerdictProps) {
  const first = rows.find(({ share }) => share !== undefined);
  const silent = rows.filter(({ trend }) => trend?.silent_since);
  const alertsOf = ({ trend }: ServiceRow) => trend?.open_alerts ?? 0;
  const worst = rows.reduce((most, row) => (alertsOf(row) > alertsOf(most) ? row : most), rows[0]!);
  return (
    <p className="max-w-4xl">
      {first && (
        <>
          <Service name={first.service} /> uses {wholePercentText(first.share ?? 0)} of the CPU of this group:{" "}
          {measureText(coresMeasure(first.cores ?? 0))} of {measureText(coresMeasure(totals.cores ?? 0))}.{" "}
        </>
      )}
      {totals.alerts === 0 ? (
        "No open alerts."
      ) : (
        <>
          {worst === first ? "It" : <Service name={worst.service} />} has {alertsOf(worst)} of{" "}
          {plural(totals.alerts, "open alert")}.
        </>
      )}
      {silent.length > 0 && ` ${plural(silent.length, "service is", "services are")} silent.`}
    </p>
  );
}

function Service({ name }: { readonly name: string }) {
  return (
    <Link
      to="/profiles/service/$serviceName"
      params={{ serviceName: name }}
      className="wrap-anywhere font-semibold hover:text-accent-text hover:underline"
    >
      {name}
    </Link>
  );
}

/** All services of the group together. */
export function Totals({ totals }: { readonly totals: GroupTotals }) {
  const { cores, change, memory, requests, alerts, unhealthy } = totals;
  const errorRate = requests?.error_rate ?? null;
  return (
    <dl className="grid grid-cols-2 gap-2 sm:grid-cols-3 sm:gap-4 lg:grid-cols-5">
      <Stat label="CPU" value={unitMeasure(cores, "cores")} detail={<Change fraction={change} />} />
      <Read label="Memory" value={memory}>
        {(bytes) => <Stat label="Memory" value={unitMeasure(bytes, "bytes")} detail="Heap in use" />}
      </Read>
      <Read label="p95 latency" value={requests}>
        {(all) => (
          <Stat
            label="p95 latency"
            value={unitMeasure(all?.p95_duration ?? null, "seconds")}
            detail="Over all requests"
          />
        )}
      </Read>
      <Read label="Error rate" value={requests}>
        {(all) => (
          <Stat
            label="Error rate"
            value={unitMeasure(errorRate === null ? null : errorRate * 100, "percent")}
            detail={all === null ? undefined : plural(all.count, "request")}
          />
        )}
      </Read>
      <Stat
        label="Open alerts"
        value={countMeasure(alerts)}
        detail={unhealthy === 0 ? "All services healthy" : `In ${plural(unhealthy, "service")}`}
      />
    </dl>
  );
}

function Change({ fraction }: { readonly fraction: number | undefined }) {
  if (fraction === undefined) return "No earlier data";
  return (
    <span className={changeInk(fraction)}>
      <Quantity value={changeMeasure(fraction * 100)} /> vs. before
    </span>
  );
}

interface ReadProps<T> {
  readonly label: string;
  readonly value: T | undefined;
  readonly children: (value: T) => ReactNode;
}

/** A placeholder until the value is read. */
function Read<T>({ label, value, children }: ReadProps<T>) {
  if (value !== undefined) return children(value);
  return (
    <div>
      <dt className="sr-only">{label}</dt>
      <dd className="h-full">
        <Skeleton className="h-full min-h-24 rounded-card!" />
      </dd>
    </div>
  );
}
