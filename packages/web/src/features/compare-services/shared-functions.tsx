import type { ReplyOf, sharedFunctions } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { FunctionSquare } from "lucide-react";
import { shortCoresMeasure } from "#format/measure.ts";
import { listedText } from "#format/number.ts";
import { useTimeRange } from "#time-range/use-time-range.ts";
import { Message } from "#ui/content/message.tsx";
import { PanelCard } from "#ui/content/panel.tsx";
import { SkeletonBlocks } from "#ui/content/skeleton.tsx";
import { TableHead, tableClass } from "#ui/content/table.tsx";
import { Quantity } from "#ui/content/values.tsx";
import { useIsNarrow } from "#ui/hooks/use-media.ts";
import { CpuLink } from "./cpu-link.tsx";
import { rowHeadClass } from "./figures-card.tsx";
import { type SharedCost, sharedCosts } from "./model.ts";
import { sharedQuery } from "./queries.ts";
import { refreshMs } from "./use-figures.ts";

interface SharedFunctionsProps {
  readonly services: readonly string[];
}

/** Library functions that at least two of the services call, with the cost in each. */
export function SharedFunctions({ services }: SharedFunctionsProps) {
  const time = useTimeRange();
  const query = useQuery({
    ...sharedQuery(services, time.query),
    refetchInterval: time.refreshMs(refreshMs),
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
      empty={({ functions }) => (functions.length === 0 ? <NothingShared range={time.label} /> : null)}
    >
      {(reply) => <SharedList services={services} reply={reply} />}
    </PanelCard>
  );
}

function NothingShared({ range }: { readonly range: string }) {
  return (
    <Message icon={FunctionSquare} title="No shared functions">
      <p>
        {range}: no two of these services call the same library function, or they sent no CPU profiles. Choose
        a longer time range.
      </p>
    </Message>
  );
}

const rowsShown = 20;

interface SharedTableProps extends SharedFunctionsProps {
  readonly reply: ReplyOf<typeof sharedFunctions>;
}

function SharedList({ services, reply }: SharedTableProps) {
  const isNarrow = useIsNarrow();
  const rows = sharedCosts(reply.functions, services).slice(0, rowsShown);
  return (
    <>
      <p role="status" className="px-4 pb-3 text-label text-muted">
        {listedText(rows.length, reply.functions_total, "function")}
      </p>
      {isNarrow ? <NarrowRows {...{ services, rows }} /> : <SharedTable {...{ services, rows }} />}
    </>
  );
}

interface RowsProps extends SharedFunctionsProps {
  readonly rows: readonly SharedCost[];
}

/** For phones: a function, and below it its costs. */
function NarrowRows({ services, rows }: RowsProps) {
  return (
    <ul aria-label="Shared library functions" className="divide-y divide-line border-line border-t">
      {rows.map(({ found, costs, difference, largest }) => (
        <li key={found.ref} className="px-4 py-2">
          <CpuLink service={largest} found={found} />
          <p className="flex flex-wrap gap-x-3 text-label text-muted">
            {services.map((service, at) => (
              <span key={service} className="inline-flex min-w-0 max-w-full gap-1">
                <span className="truncate">{service}</span>
                <Cost service={service} found={found} cost={costs[at] ?? null} />
              </span>
            ))}
            <span>
              Difference <Quantity value={shortCoresMeasure(difference)} />
            </span>
          </p>
        </li>
      ))}
    </ul>
  );
}

function SharedTable({ services, rows }: RowsProps) {
  return (
    <div className="overflow-x-auto">
      <table className={tableClass}>
        <thead>
          <tr className="border-line border-t">
            <TableHead className="sticky left-0 bg-surface">Function</TableHead>
            {services.map((service) => (
              <TableHead key={service} isNumeric>
                <span title={service} className="inline-block max-w-28 truncate align-middle sm:max-w-48">
                  {service}
                </span>
              </TableHead>
            ))}
            <TableHead isNumeric>Difference</TableHead>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <SharedRow key={row.found.ref} services={services} row={row} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface SharedRowProps extends SharedFunctionsProps {
  readonly row: SharedCost;
}

function SharedRow({ services, row: { found, costs, difference, largest } }: SharedRowProps) {
  return (
    <tr className="h-9 border-line border-t">
      <th scope="row" className={`${rowHeadClass} w-full min-w-36 max-w-0`}>
        <CpuLink service={largest} found={found} />
      </th>
      {services.map((service, at) => (
        <td key={service} className="px-3 text-right">
          <Cost service={service} found={found} cost={costs[at] ?? null} />
        </td>
      ))}
      <td className="pr-4 pl-3 text-right text-muted">
        <Quantity value={shortCoresMeasure(difference)} />
      </td>
    </tr>
  );
}

interface CostProps extends Pick<SharedCost, "found"> {
  readonly service: string;
  readonly cost: number | null;
}

function Cost({ service, found, cost }: CostProps) {
  if (cost === null)
    return (
      <span title={`${service} does not call it`} className="text-muted">
        –
      </span>
    );
  return (
    <CpuLink service={service} found={found}>
      <Quantity value={shortCoresMeasure(cost)} />
    </CpuLink>
  );
}
