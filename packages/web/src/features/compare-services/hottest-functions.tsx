import type { ReplyOf, sharedFunctions } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { BarList, type BarRow } from "#charts/bar-list.tsx";
import { coresColumn, measureText } from "#format/measure.ts";
import { percentText } from "#format/number.ts";
import { ownFunctions } from "#profile-list/function-rows.tsx";
import { refreshSteps } from "#time-range/refresh-steps.ts";
import { useTimeRange } from "#time-range/use-time-range.ts";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { Panel } from "#ui/content/panel.tsx";
import { SkeletonBlocks } from "#ui/content/skeleton.tsx";
import { cx } from "#ui/cx.ts";
import { CpuLink } from "./cpu-link.tsx";
import type { Side } from "./model.ts";
import { hottestQuery } from "./queries.ts";

interface HottestFunctionsProps {
  readonly sides: readonly Side[];
}

/** The services' own code with the largest self values, a list for each side. */
export function HottestFunctions({ sides }: HottestFunctionsProps) {
  return (
    <Card className="min-w-0">
      <CardHeader
        title="Hottest functions"
        detail="CPU in the service's own code, without called functions. Select one for its flame graph."
      />
      <div
        className={cx(
          "grid gap-x-6 gap-y-4 border-line border-t p-4",
          sides.length > 1 && "md:grid-cols-2",
          sides.length === 3 && "xl:grid-cols-3",
          sides.length === 4 && "2xl:grid-cols-4",
        )}
      >
        {sides.map((side) => (
          <SideFunctions key={side.key} side={side} />
        ))}
      </div>
    </Card>
  );
}

function SideFunctions({ side }: { readonly side: Side }) {
  const { label } = side;
  const time = useTimeRange();
  const query = useQuery({
    ...hottestQuery(side, time.query),
    refetchInterval: time.refreshMs(refreshSteps.graphMs),
  });
  return (
    <section className="min-w-0">
      <h3 className="mb-2 truncate font-medium text-body" title={label}>
        {label}
      </h3>
      <Panel
        query={query}
        loading={
          <SkeletonBlocks
            label="Loading hottest functions"
            count={5}
            className="h-9"
            layoutClass="flex flex-col gap-1"
          />
        }
        errorTitle="Failed to load functions. Please try again later."
        empty={(reply) =>
          ownFunctions(reply.functions).length === 0 ? (
            <p className="text-muted">{whyNone(reply, time.label)}</p>
          ) : null
        }
      >
        {(reply) => <BarList label={`Hottest functions of ${label}`} rows={rowsOf(side, reply)} />}
      </Panel>
    </section>
  );
}

type Reply = ReplyOf<typeof sharedFunctions>;

function whyNone({ functions }: Reply, range: string): string {
  return functions.length === 0
    ? `${range}: no CPU profiles.`
    : `None of the ${functions.length} functions with the largest self values is in the service's own code.`;
}

function rowsOf(side: Side, { functions, total }: Reply): BarRow[] {
  const own = ownFunctions(functions);
  const measure = coresColumn(Math.max(0, ...own.map(({ self }) => self)));
  return own.map((found) => ({
    id: found.ref,
    amount: found.self,
    // Services are listed with the largest cost first.
    name: <CpuLink service={found.services[0]?.name ?? side.id} {...{ side, found }} />,
    detail: total > 0 ? percentText((found.self / total) * 100) : undefined,
    value: measureText(measure(found.self)),
    color: "type-cpu",
  }));
}
