import { Link } from "@tanstack/react-router";
import { X } from "lucide-react";
import { unitMeasure } from "#charts/model/units.ts";
import { changeMeasure, plural } from "#format/number.ts";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { PartFailure } from "#ui/content/part-failure.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { TableHead, tableClass } from "#ui/content/table.tsx";
import { Quantity } from "#ui/content/values.tsx";
import { Button } from "#ui/controls/button.tsx";
import { cx, staleClass } from "#ui/cx.ts";
import { type Figures, figureRows, type Side } from "./model.ts";
import { useFigures } from "./use-figures.ts";

/** The first column stays while the others scroll. */
export const rowHeadClass = "sticky left-0 bg-surface py-2 pr-3 pl-4 text-left font-normal";

interface FiguresCardProps {
  readonly sides: readonly Side[];
  readonly onRemove: (side: Side) => void;
}

/** A column for each side, a row for each figure. */
export function FiguresCard({ sides, onRemove }: FiguresCardProps) {
  const { figures, error, isStale, retry } = useFigures(sides);
  const hasGroup = sides.some(({ kind }) => kind !== "service");
  const isLoading =
    error === null && figures.some((each) => figureRows.some(({ name }) => each[name] === undefined));
  return (
    <Card className="min-w-0 overflow-hidden">
      <CardHeader
        title="Figures"
        detail={`Means over the range. CPU, memory and goroutines are of one instance${hasGroup ? ", added up over the services of a group. Its latency and errors are of all its requests." : "."}`}
      />
      {isLoading && <p role="status" aria-label="Loading figures" className="sr-only" />}
      <div className={cx("overflow-x-auto", staleClass(isStale))}>
        <table className={tableClass}>
          <thead>
            <tr className="border-line border-t">
              <TableHead className="sticky left-0 bg-surface">Figure</TableHead>
              {sides.map((side) => (
                <SideHead key={side.key} side={side} onRemove={onRemove} />
              ))}
            </tr>
          </thead>
          <tbody>
            {figureRows.map((row) => (
              <tr key={row.name} className="border-line border-t">
                <th scope="row" className={rowHeadClass}>
                  {row.label}
                </th>
                {figures.map((each, at) => (
                  <FigureCell key={sides[at]?.key} row={row} figures={each} hasFailed={error !== null} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {error !== null && <PartFailure message={error.message} onRetry={retry} />}
    </Card>
  );
}

interface SideHeadProps {
  readonly side: Side;
  readonly onRemove: (side: Side) => void;
}

function SideHead({ side, onRemove }: SideHeadProps) {
  const { label, kind, services } = side;
  return (
    <TableHead isNumeric>
      <span className="inline-flex items-center gap-1 align-middle">
        <SideName side={side} />
        {kind === "project" && services !== "all" && services.length > 0 && (
          <span title={services.join("\n")} className="max-sm:hidden">
            {plural(services.length, "service")}
          </span>
        )}
        <Button
          size="tiny"
          variant="ghost"
          aria-label={`Remove ${label}`}
          title="Remove from the comparison"
          onClick={() => onRemove(side)}
        >
          <X aria-hidden className="size-3.5" strokeWidth={1.75} />
        </Button>
      </span>
    </TableHead>
  );
}

/** A link, except in another organization, whose pages need a switch. */
function SideName({ side: { label, kind, id, isElsewhere } }: Pick<SideHeadProps, "side">) {
  const className = "max-w-28 truncate text-text sm:max-w-48";
  if (isElsewhere)
    return (
      <span title={label} className={className}>
        {label}
      </span>
    );
  const target = {
    service: { to: "/profiles/service/$serviceName", params: { serviceName: id } },
    project: { to: "/projects/$projectId", params: { projectId: id } },
    organization: { to: "/profiles" },
  } as const;
  return (
    <Link {...target[kind]} title={label} className={`${className} hover:text-accent-text hover:underline`}>
      {label}
    </Link>
  );
}

interface FigureCellProps {
  readonly row: (typeof figureRows)[number];
  readonly figures: Figures;
  readonly hasFailed: boolean;
}

function FigureCell({ row: { name, unit }, figures, hasFailed }: FigureCellProps) {
  const value = figures[name];
  return (
    <td className="px-3 py-2 text-right last:pr-4">
      {value !== undefined ? (
        <span className={value === null ? "text-muted" : "font-medium"}>
          <Quantity value={unitMeasure(value, unit)} />
        </span>
      ) : hasFailed ? (
        <span className="text-muted">–</span>
      ) : (
        <Skeleton className="ml-auto h-5 w-16" />
      )}
      {name === "cores" && <Change fraction={figures.coresChange} />}
    </td>
  );
}

function Change({ fraction }: { readonly fraction: number | undefined }) {
  return (
    <span
      title="Mean CPU of this range against the previous range of the same length"
      className="block h-4 whitespace-nowrap text-label text-muted"
    >
      {fraction !== undefined && (
        <>
          <Quantity value={changeMeasure(fraction * 100)} /> vs. before
        </>
      )}
    </span>
  );
}
