import type { GraphType } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleAlert, Maximize2 } from "lucide-react";
import { Suspense, useMemo } from "react";
import { lazyPart } from "#api/import-page.ts";
import type { TimeSpan } from "#charts/model/series.ts";
import { spanText } from "#charts/model/time-ticks.ts";
import type { ComparedView } from "#comparison/compared-graph.tsx";
import { isComparable } from "#comparison/model.ts";
import { diffQuery } from "#comparison/queries.ts";
import type { CompareSearch } from "#comparison/search.ts";
import { decodedComparison } from "#flame-graph/decode/decode-comparison.ts";
import { flamePanel, StaleGraphProvider } from "#flame-graph/frame/wanted-function.ts";
import { profileTypeLabel } from "#format/names.ts";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { Message } from "#ui/content/message.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { Button, buttonClass } from "#ui/controls/button.tsx";
import { queryOfSelection } from "./search.ts";
import type { Explore } from "./use-explore.ts";

const ComparedGraph = lazyPart(async () => (await import("#comparison/compared-graph.tsx")).ComparedGraph);

interface ComparedInPlaceProps {
  readonly explore: Explore;
  readonly type: GraphType;
  readonly before: TimeSpan;
  readonly after: TimeSpan;
}

/** The functions that changed between two times of a service, ranked, and both graphs as one. */
export function ComparedInPlace({ explore, type, before, after }: ComparedInPlaceProps) {
  const compare = useComparedView(explore, { type, before, after });
  const query = useQuery(diffQuery(compare.search));
  const decoded = useMemo(() => query.data && decodedComparison(query.data), [query.data]);
  const { zone } = compare;
  return (
    <Card {...flamePanel}>
      <CardHeader
        title={`${profileTypeLabel(type)}: what changed`}
        detail={`Before ${spanText(before.fromMs, before.toMs, zone)}, after ${spanText(after.fromMs, after.toMs, zone)}`}
        actions={
          <Link to="/compare" search={compare.search} className={buttonClass("secondary", "sm")}>
            <Maximize2 aria-hidden className="size-3.5" strokeWidth={1.75} />
            Open in Compare
          </Link>
        }
      />
      {decoded?.failure !== undefined || (decoded === undefined && query.error !== null) ? (
        <Message
          icon={CircleAlert}
          tone="critical"
          title="Could not load the comparison"
          actions={<Button onClick={() => void query.refetch()}>Try Again</Button>}
        >
          <p>{decoded?.failure ?? query.error?.message}</p>
        </Message>
      ) : decoded === undefined ? (
        <Skeleton className="h-[40rem] w-full" />
      ) : isComparable(decoded.value.comparison, decoded.value.meta) ? (
        <Suspense fallback={<Skeleton className="h-[40rem] w-full" />}>
          <StaleGraphProvider value={query.isPlaceholderData}>
            <ComparedGraph compare={compare} {...decoded.value} onRefresh={() => void query.refetch()} />
          </StaleGraphProvider>
        </Suspense>
      ) : (
        <Message icon={CircleAlert} title="Nothing to compare">
          <p>One of the two ranges has no profiles of this type. Mark another on the lanes.</p>
        </Message>
      )}
    </Card>
  );
}

type Sides = Pick<ComparedInPlaceProps, "type" | "before" | "after">;

function useComparedView(explore: Explore, { type, before, after }: Sides): ComparedView {
  const { search: of, service, sampleType, tags, labels, time, view, change, changeView } = explore;
  const [early, late] = [queryOfSelection(before), queryOfSelection(after)];
  const { per, mode, layout, color, lines, generics } = of;
  const isTagged = Object.keys(tags).length > 0;
  const isLabelled = Object.keys(labels).length > 0;
  const search: CompareSearch = {
    service,
    type,
    ...(sampleType !== undefined && { sample_type: sampleType }),
    ...{ per, mode, layout, color, lines, generics },
    before_from: early.from,
    before_to: early.to,
    after_from: late.from,
    after_to: late.to,
    ...(isTagged && { before_tags: tags, after_tags: tags }),
    ...(isLabelled && { before_labels: labels, after_labels: labels }),
  };
  return {
    search,
    zone: time.zone,
    view,
    mode: mode ?? "absolute",
    colouring: color ?? "self",
    isSideBySide: layout === "sides",
    change,
    changeView,
  };
}
