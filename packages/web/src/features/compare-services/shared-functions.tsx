import { useQuery } from "@tanstack/react-query";
import { FunctionSquare } from "lucide-react";
import { coresColumn, type Measure } from "#format/measure.ts";
import { listedText } from "#format/number.ts";
import { coveredText } from "#profile-list/covered-text.ts";
import { refreshSteps } from "#time-range/refresh-steps.ts";
import { useTimeRange } from "#time-range/use-time-range.ts";
import { Message } from "#ui/content/message.tsx";
import { PanelCard } from "#ui/content/panel.tsx";
import { SkeletonBlocks } from "#ui/content/skeleton.tsx";
import { TableHead, tableClass } from "#ui/content/table.tsx";
import { Quantity } from "#ui/content/values.tsx";
import { useIsNarrow } from "#ui/hooks/use-media.ts";
import { CpuLink } from "./cpu-link.tsx";
import { rowHeadClass } from "./figures-card.tsx";
import {
  amongText,
  haveSingleFunctions,
  type SharedCost,
  type SharedPart,
  type Side,
  type SideCost,
  sharedCosts,
} from "./model.ts";
import { sharedQuery } from "./queries.ts";

interface SharedFunctionsProps {
  readonly sides: readonly Side[];
}

/** Library functions that at least two of the sides call, with the cost in each. */
export function SharedFunctions({ sides }: SharedFunctionsProps) {
  const time = useTimeRange();
  const query = useQuery({
    ...sharedQuery(sides, time.query),
    refetchInterval: time.refreshMs(refreshSteps.graphMs),
  });
  return (
    <PanelCard
      className="min-w-0 overflow-hidden"
      title="Shared library functions"
      detail="CPU with called functions, so rows overlap. The largest difference comes first."
      query={query}
      loading={
        <SkeletonBlocks
          label="Loading shared functions"
          count={6}
          className="h-7"
          layoutClass="flex flex-col gap-2 border-line border-t p-4"
        />
      }
      errorTitle="Failed to load shared functions"
      empty={(parts) =>
        sharedCosts(parts, sides).length === 0 ? (
          <NothingShared range={time.label} among={amongText(parts, sides)} />
        ) : null
      }
    >
      {(parts) => <SharedList sides={sides} parts={parts} />}
    </PanelCard>
  );
}

function NothingShared({ range, among }: { readonly range: string; readonly among: string }) {
  return (
    <Message icon={FunctionSquare} title="No shared functions">
      <p>
        {range}: no two of them call the same library function{among}, or they sent no CPU profiles. Choose a
        longer time range.
      </p>
    </Message>
  );
}

const rowsShown = 20;

interface SharedTableProps extends SharedFunctionsProps {
  readonly parts: readonly SharedPart[];
}

function SharedList({ sides, parts }: SharedTableProps) {
  const isNarrow = useIsNarrow();
  const shared = sharedCosts(parts, sides);
  const rows = shared.slice(0, rowsShown);
  const measure = coresColumn(
    Math.max(0, ...rows.flatMap(({ costs }) => costs.map((cost) => cost?.cores ?? 0))),
  );
  const [first] = parts;
  const all = first === undefined || haveSingleFunctions(sides) ? shared.length : first.reply.functions_total;
  const leastCovered = parts.toSorted((a, b) => a.reply.covered - b.reply.covered)[0];
  return (
    <>
      <p role="status" className="px-4 pb-3 text-label text-muted">
        {listedText(rows.length, all, "function")}
        {amongText(parts, sides)}
        {leastCovered && coveredText(leastCovered.reply, "CPU")}
      </p>
      {isNarrow ? (
        <NarrowRows {...{ sides, rows, measure }} />
      ) : (
        <SharedTable {...{ sides, rows, measure }} />
      )}
    </>
  );
}

interface RowsProps extends SharedFunctionsProps {
  readonly rows: readonly SharedCost[];
  /** Cores, alike in the whole table. */
  readonly measure: (cores: number) => Measure;
}

/** For phones: a function, and below it its costs. */
function NarrowRows({ sides, rows, measure }: RowsProps) {
  return (
    <ul aria-label="Shared library functions" className="divide-y divide-line border-line border-t">
      {rows.map(({ found, costs, difference, largest }) => (
        <li key={found.ref} className="px-4 py-2">
          <CpuLink {...largest} found={found} />
          <p className="flex flex-wrap gap-x-3 text-label text-muted">
            {sides.map(({ key, label }, at) => (
              <span key={key} className="inline-flex min-w-0 max-w-full gap-1">
                <span className="truncate">{label}</span>
                <Cost {...{ label, found, measure }} cost={costs[at] ?? null} />
              </span>
            ))}
            <span>
              Difference <Quantity value={measure(difference)} />
            </span>
          </p>
        </li>
      ))}
    </ul>
  );
}

function SharedTable({ sides, rows, measure }: RowsProps) {
  return (
    <div className="overflow-x-auto">
      <table className={tableClass}>
        <thead>
          <tr className="border-line border-t">
            <TableHead className="sticky left-0 bg-surface">Function</TableHead>
            {sides.map(({ key, label }) => (
              <TableHead key={key} isNumeric>
                <span title={label} className="inline-block max-w-28 truncate align-middle sm:max-w-48">
                  {label}
                </span>
              </TableHead>
            ))}
            <TableHead isNumeric>Difference</TableHead>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <SharedRow key={row.found.ref} {...{ sides, row, measure }} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface SharedRowProps extends Omit<RowsProps, "rows"> {
  readonly row: SharedCost;
}

function SharedRow({ sides, measure, row: { found, costs, difference, largest } }: SharedRowProps) {
  return (
    <tr className="h-9 border-line border-t">
      <th scope="row" className={`${rowHeadClass} w-full min-w-36 max-w-0`}>
        <CpuLink {...largest} found={found} />
      </th>
      {sides.map(({ key, label }, at) => (
        <td key={key} className="px-3 text-right">
          <Cost {...{ label, found, measure }} cost={costs[at] ?? null} />
        </td>
      ))}
      <td className="pr-4 pl-3 text-right text-muted">
        <Quantity value={measure(difference)} />
      </td>
    </tr>
  );
}

interface CostProps extends Pick<SharedCost, "found">, Pick<RowsProps, "measure"> {
  /** The side. */
  readonly label: string;
  readonly cost: SideCost | null;
}

function Cost({ label, found, cost, measure }: CostProps) {
  if (cost === null)
    return (
      <span title={`Not found in ${label}`} className="text-muted">
        –
      </span>
    );
  return (
    <CpuLink {...cost} found={found}>
      <Quantity value={measure(cost.cores)} />
    </CpuLink>
  );
}
