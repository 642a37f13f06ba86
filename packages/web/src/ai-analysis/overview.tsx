import { type Analysis, type GraphType, latestAnalyses } from "@flamekeep/contract";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import {
  CircleAlert,
  CircleCheck,
  CircleDashed,
  type LucideIcon,
  Sparkles,
  TriangleAlert,
} from "lucide-react";
import { call } from "#api/call.ts";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { Message } from "#ui/content/message.tsx";
import { Panel } from "#ui/content/panel.tsx";
import { ProfileTypeBadge } from "#ui/content/profile-type-badge.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { RelativeTime } from "#ui/content/values.tsx";
import { type CardState, cardOf } from "./model.ts";

type Latest = Partial<Record<GraphType, Analysis>>;

function latestQuery(service: string) {
  return queryOptions({
    queryKey: ["latest-analyses", service],
    queryFn: async ({ signal }): Promise<Latest> => {
      const query = { without: "empty" } as const;
      const reply = await call(latestAnalyses, { params: { service }, query, signal });
      return reply.latest_analyses as Latest;
    },
  });
}

interface OverviewProps {
  readonly service: string;
  /** The types that the service sends. */
  readonly types: readonly GraphType[];
}

/** The latest analysis of each profile type of a service. */
export function AnalysisOverview({ service, types }: OverviewProps) {
  const query = useQuery(latestQuery(service));
  return (
    <Card className="min-w-0">
      <CardHeader title="AI Analysis Overview" detail="The latest analysis of each profile type" />
      <Panel
        query={query}
        loading={<Skeleton className="mx-4 mb-4 h-16" />}
        errorTitle="Failed to load AI analysis overview"
        empty={(latest) => (Object.keys(latest).length === 0 ? <NoAnalyses /> : null)}
      >
        {(latest) => (
          <ul className="grid grid-cols-[repeat(auto-fill,minmax(13rem,1fr))] gap-3 px-4 pb-4">
            {typesOf(types, latest).map((type) => (
              <TypeCard key={type} type={type} analysis={latest[type]} />
            ))}
          </ul>
        )}
      </Panel>
    </Card>
  );
}

function typesOf(types: OverviewProps["types"], latest: Latest): OverviewProps["types"] {
  return [...new Set([...types, ...(Object.keys(latest) as GraphType[])])];
}

function NoAnalyses() {
  return (
    <Message icon={Sparkles} title="No AI analyses available yet">
      <p>Open a profile and start an analysis there, or choose a profile type above and analyze its range.</p>
    </Message>
  );
}

const stateIcons: Readonly<Record<CardState, { readonly icon: LucideIcon; readonly className: string }>> = {
  "no-analysis": { icon: CircleDashed, className: "text-muted" },
  optimized: { icon: CircleCheck, className: "text-ok-text" },
  critical: { icon: CircleAlert, className: "text-critical-text" },
  issues: { icon: TriangleAlert, className: "text-warning-text" },
};

function TypeCard({ type, analysis }: { readonly type: GraphType; readonly analysis: Analysis | undefined }) {
  const { state, text } = cardOf(analysis);
  const { icon: Icon, className } = stateIcons[state];
  return (
    <li data-state={state} className="flex flex-col gap-2 rounded-control border border-line p-3">
      <div className="flex items-center justify-between gap-2">
        <ProfileTypeBadge type={type} />
        {analysis && (
          <span className="text-label text-muted">
            <RelativeTime at={analysis.created_at} />
          </span>
        )}
      </div>
      <p className="flex items-start gap-1.5">
        <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${className}`} strokeWidth={1.75} />
        {text}
      </p>
      {analysis?.profile_id && (
        <Link
          to="/profile/$profileId"
          params={{ profileId: analysis.profile_id }}
          hash="ai-analysis"
          className="w-fit text-label text-accent-text hover:underline"
        >
          View Details
        </Link>
      )}
    </li>
  );
}
