import { limits, type Project, type ReplyOf, sharedFunctions } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { FunctionSquare } from "lucide-react";
import { callQuery } from "#api/call-query.ts";
import { BarList } from "#charts/bar-list.tsx";
import { functionRows, ownFunctions } from "#profile-list/function-rows.tsx";
import { whileOfSameSubject } from "#profile-series/series-query.ts";
import { BlockSkeleton, Empty } from "#project/parts/parts.tsx";
import { refreshSteps } from "#time-range/refresh-steps.ts";
import { useTimeRange } from "#time-range/use-time-range.ts";
import type { RangeQuery } from "#time-range/view-range.ts";
import { PanelCard } from "#ui/content/panel.tsx";
import { cx } from "#ui/cx.ts";

type Reply = ReplyOf<typeof sharedFunctions>;

/** The functions in which the services spend their CPU, and those that they share. */
export function GroupFunctions({ project: { id, services } }: { readonly project: Project }) {
  const isShared = services.length > 1;
  return (
    <div className={cx("grid gap-4", isShared && "xl:grid-cols-2")}>
      <Functions
        project={id}
        scope="all"
        title="Hottest functions"
        detail="CPU in the services' own code, without called functions."
        functionsOf={({ functions }) => ownFunctions(functions)}
      />
      {isShared && (
        <Functions
          project={id}
          scope="libraries"
          title="Library functions that the services share"
          detail="CPU with called functions, so rows overlap."
          functionsOf={({ functions }) => functions}
        />
      )}
    </div>
  );
}

interface FunctionsProps {
  readonly project: string;
  readonly scope: "all" | "libraries";
  readonly title: string;
  readonly detail: string;
  readonly functionsOf: (reply: Reply) => Reply["functions"];
}

function Functions({ project, scope, title, detail, functionsOf }: FunctionsProps) {
  const time = useTimeRange();
  const query = useQuery({
    ...functionsQuery(project, scope, time.query),
    refetchInterval: time.refreshMs(refreshSteps.graphMs),
  });
  return (
    <PanelCard
      className="min-w-0"
      title={title}
      detail={detail}
      query={query}
      loading={<BlockSkeleton label={`Loading ${title.toLowerCase()}`} className="h-64" />}
      errorTitle="Failed to load functions. Please try again later."
      empty={(reply) =>
        functionsOf(reply).length === 0 ? (
          <Empty title={scope === "all" ? "No functions" : "No shared functions"} icon={FunctionSquare}>
            <p>
              {time.label}: {whyNone(reply, scope)}
            </p>
          </Empty>
        ) : null
      }
    >
      {(reply) => (
        <div className="border-line border-t p-4">
          <BarList
            label={title}
            rows={functionRows(functionsOf(reply), {
              type: "cpu",
              unit: reply.unit,
              isSelf: scope === "all",
            })}
          />
        </div>
      )}
    </PanelCard>
  );
}

function whyNone({ services_total: services }: Reply, scope: FunctionsProps["scope"]): string {
  if (services === 0) return "no CPU profiles from these services.";
  return scope === "all"
    ? "none of the functions with the largest self values is in the services' own code."
    : "no two of these services call the same library function.";
}

/** Functions of the services of a project: those of their own code, or the library functions that at least two of them call. */
function functionsQuery(project: string, scope: "all" | "libraries", range: RangeQuery) {
  const subject = ["projects", project, "functions", scope] as const;
  const filter =
    scope === "all" ? { services_min: 1, limit: limits.functionsMax } : { services_min: 2, limit: 8 };
  return callQuery(
    [...subject, range],
    sharedFunctions,
    { query: { ...range, ...filter, type: "cpu", scope, project } },
    { placeholderData: whileOfSameSubject(subject) },
  );
}
