import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { type ChartUnit, unitMeasure } from "#charts/model/units.ts";
import { coresColumn, type Measure } from "#format/measure.ts";
import { changeMeasure, plural, wholePercentText } from "#format/number.ts";
import { changeInk } from "#profile-list/cpu-trend.tsx";
import { SenderLink } from "#profile-list/senders/data-received.tsx";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { HealthMark } from "#ui/content/health.tsx";
import { PartFailure } from "#ui/content/part-failure.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { TableHead, tableClass } from "#ui/content/table.tsx";
import { Quantity } from "#ui/content/values.tsx";
import { Button } from "#ui/controls/button.tsx";
import { useIsNarrow } from "#ui/hooks/use-media.ts";
import type { ServiceRow } from "./model.ts";

const shownFirst = 20;

interface ServicesTableProps {
  readonly rows: readonly ServiceRow[];
  readonly failure: { readonly message: string; readonly onRetry: () => void } | undefined;
}

/** The services of the group, most cores first. */
export function ServicesTable({ rows, failure }: ServicesTableProps) {
  const isNarrow = useIsNarrow();
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? rows : rows.slice(0, shownFirst);
  return (
    <Card className="min-w-0 overflow-hidden">
      <CardHeader
        title={plural(rows.length, "service")}
        detail="Means over the range, most CPU first. CPU and memory are of one instance of each service."
      />
      {isNarrow ? <NarrowRows rows={shown} /> : <WideRows rows={shown} />}
      {shown.length < rows.length && (
        <p className="border-line border-t px-4 py-2">
          <Button size="sm" variant="ghost" onClick={() => setWhole(true)}>
            Show all {rows.length} services
          </Button>
        </p>
      )}
      {failure && <PartFailure {...failure} />}
    </Card>
  );
}

interface RowsProps {
  readonly rows: readonly ServiceRow[];
}

function WideRows({ rows }: RowsProps) {
  const measure = coresOf(rows);
  return (
    <div className="overflow-x-auto">
      <table className={tableClass}>
        <thead>
          <tr className="border-line border-t">
            <TableHead className="w-full">Service</TableHead>
            <TableHead isNumeric>CPU</TableHead>
            <TableHead>Share</TableHead>
            <TableHead isNumeric>vs. before</TableHead>
            <TableHead isNumeric>Memory</TableHead>
            <TableHead isNumeric>p95 latency</TableHead>
            <TableHead isNumeric>Error rate</TableHead>
            <TableHead>Health</TableHead>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.service} className="h-9 border-line border-t">
              <th scope="row" className="min-w-36 max-w-0 px-3 pl-4 text-left font-medium">
                <ServiceLink service={row.service} />
              </th>
              <td className="whitespace-nowrap px-3 text-right font-medium">
                <Cores row={row} measure={measure} />
              </td>
              <td className="px-3">
                <Share share={row.share} />
              </td>
              <td className="px-3 text-right">
                <Change fraction={row.change} />
              </td>
              <td className="px-3 text-right">
                <Figure value={row.memory} unit="bytes" />
              </td>
              <td className="px-3 text-right">
                <Figure value={row.p95} unit="seconds" />
              </td>
              <td className="px-3 text-right">
                <Figure value={row.errors} unit="percent" />
              </td>
              <td className="whitespace-nowrap pr-4 pl-3">
                <Health row={row} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** For phones: a service and its CPU, below them the other figures. */
function NarrowRows({ rows }: RowsProps) {
  const measure = coresOf(rows);
  return (
    <ul aria-label="Services" className="divide-y divide-line border-line border-t">
      {rows.map((row) => (
        <li key={row.service} className="px-4 py-2">
          <div className="flex items-baseline justify-between gap-3 font-medium">
            <ServiceLink service={row.service} />
            <span className="shrink-0">
              <Cores row={row} measure={measure} />
            </span>
          </div>
          <p className="flex flex-wrap items-center gap-x-3 text-label text-muted">
            {row.share !== undefined && <Share share={row.share} />}
            {row.change !== undefined && <Change fraction={row.change} />}
            {row.memory !== null && <Figure value={row.memory} unit="bytes" />}
            {row.p95 !== null && (
              <span>
                p95 <Figure value={row.p95} unit="seconds" />
              </span>
            )}
            {row.errors !== null && (
              <span>
                <Figure value={row.errors} unit="percent" /> errors
              </span>
            )}
            <Health row={row} />
          </p>
        </li>
      ))}
    </ul>
  );
}

function ServiceLink({ service }: { readonly service: string }) {
  return (
    <Link
      to="/profiles/service/$serviceName"
      params={{ serviceName: service }}
      title={service}
      className="block min-w-0 truncate hover:text-accent-text hover:underline max-md:py-1"
    >
      {service}
    </Link>
  );
}

const none = <span className="text-muted">–</span>;

interface CoresProps {
  readonly row: ServiceRow;
  readonly measure: (cores: number) => Measure;
}

function Cores({ row: { cores }, measure }: CoresProps) {
  return cores === null ? none : <Quantity value={measure(cores)} />;
}

/** For the CPU of all rows alike. */
function coresOf(rows: readonly ServiceRow[]): CoresProps["measure"] {
  return coresColumn(Math.max(0, ...rows.map(({ cores }) => cores ?? 0)));
}

/** The share of the group's CPU, as a bar and a number. */
function Share({ share }: { readonly share: number | undefined }) {
  if (share === undefined) return none;
  return (
    <span className="inline-flex items-center gap-2">
      <span aria-hidden className="block h-1.5 w-20 overflow-hidden rounded-full bg-surface-2 max-md:w-12">
        <span className="block h-full" style={{ width: `${share * 100}%`, background: "var(--type-cpu)" }} />
      </span>
      <span data-quantity className="w-9 text-right text-label tabular-nums">
        {wholePercentText(share)}
      </span>
    </span>
  );
}

function Change({ fraction }: { readonly fraction: number | undefined }) {
  if (fraction === undefined) return none;
  return (
    <span
      title="Mean CPU of this range against the previous range of the same length"
      className={changeInk(fraction)}
    >
      <Quantity value={changeMeasure(fraction * 100)} />
    </span>
  );
}

interface FigureProps {
  readonly value: number | null | undefined;
  readonly unit: ChartUnit;
}

function Figure({ value, unit }: FigureProps) {
  if (value === undefined) return <Skeleton className="ml-auto h-4 w-14" />;
  return value === null ? none : <Quantity value={unitMeasure(value, unit)} />;
}

/** Health with its open alerts, or since when nothing arrives. */
function Health({ row }: { readonly row: ServiceRow }) {
  const { service, trend, hasData } = row;
  if (hasData === false)
    return (
      <span className="text-label text-muted">
        No data.{" "}
        <SenderLink service={service} className="hover:text-accent-text hover:underline">
          Why?<span className="sr-only"> Uploads of {service}</span>
        </SenderLink>
      </span>
    );
  // A service without CPU and alerts may still have other data.
  if (trend === undefined && hasData === undefined)
    return row.memory === undefined || row.p95 === undefined ? <Skeleton className="h-4 w-16" /> : none;
  const alerts = trend?.open_alerts ?? 0;
  return (
    <span className="inline-flex items-center gap-2">
      <HealthMark health={trend?.health ?? "healthy"} silentSince={trend?.silent_since} />
      {alerts > 0 && (
        <Link
          to="/alerts"
          search={{ service }}
          className="text-label text-muted hover:text-accent-text hover:underline"
        >
          {plural(alerts, "alert")}
        </Link>
      )}
    </span>
  );
}
