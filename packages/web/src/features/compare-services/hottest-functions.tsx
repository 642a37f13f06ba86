import type { ReplyOf, sharedFunctions } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { BarList, type BarRow } from "#charts/bar-list.tsx";
import { measureText, shortCoresMeasure } from "#format/measure.ts";
import { percentText } from "#format/number.ts";
import { useTimeRange } from "#time-range/use-time-range.ts";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { Panel } from "#ui/content/panel.tsx";
import { SkeletonBlocks } from "#ui/content/skeleton.tsx";
import { cx } from "#ui/cx.ts";
import { CpuLink } from "./cpu-link.tsx";
import { ownFunctions } from "./model.ts";
import { hottestQuery } from "./queries.ts";
import { refreshMs } from "./use-figures.ts";

interface HottestFunctionsProps {
  readonly services: readonly string[];
}

/** The service's code with the largest self values, a list for each service. */
export function HottestFunctions({ services }: HottestFunctionsProps) {
  return (
    <Card className="min-w-0">
      <CardHeader
        title="Hottest functions"
        detail="CPU in the service's own code, without called functions. Select one for its flame graph."
      />
      <div
        className={cx(
          "grid gap-x-6 gap-y-4 border-line border-t p-4",
          services.length > 1 && "md:grid-cols-2",
          services.length === 3 && "xl:grid-cols-3",
          services.length === 4 && "2xl:grid-cols-4",
        )}
      >
        {services.map((service) => (
          <ServiceFunctions key={service} service={service} />
        ))}
      </div>
    </Card>
  );
}

function ServiceFunctions({ service }: { readonly service: string }) {
  const time = useTimeRange();
  const query = useQuery({
    ...hottestQuery(service, time.query),
    refetchInterval: time.refreshMs(refreshMs),
  });
  return (
    <section className="min-w-0">
      <h3 className="mb-2 truncate font-medium text-body" title={service}>
        {service}
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
        {(reply) => <BarList label={`Hottest functions of ${service}`} rows={rowsOf(service, reply)} />}
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

function rowsOf(service: string, { functions, total }: Reply): BarRow[] {
  return ownFunctions(functions).map((found) => ({
    id: found.ref,
    amount: found.self,
    name: <CpuLink service={service} found={found} />,
    detail: total > 0 ? percentText((found.self / total) * 100) : undefined,
    value: measureText(shortCoresMeasure(found.self)),
    color: "type-cpu",
  }));
}
