import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { Link2Off } from "lucide-react";
import { Suspense } from "react";
import { lazyPart } from "#api/import-page.ts";
import { FlameGraph } from "#flame-graph/flame-graph.tsx";
import { profileTypeLabel } from "#format/names.ts";
import { dateText, exactSpan } from "#format/time.ts";
import { usePageTitle } from "#layout/page-title.ts";
import { PublicFrame } from "#layout/public-frame.tsx";
import { keptText } from "#open-files/kept-text.ts";
import { useZone } from "#preferences/time-zone.ts";
import { Card } from "#ui/content/card.tsx";
import { Message } from "#ui/content/message.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { ExactSpan } from "#ui/content/values.tsx";
import { buttonClass } from "#ui/controls/button.tsx";
import { readStoredFrames, type SharedView, sharedGraphQuery, sharedViewQuery } from "./queries.ts";
import { useSharedView } from "./use-shared-view.ts";

const SharedComparison = lazyPart(async () => (await import("./shared-comparison.tsx")).SharedComparison);

/** The page of a public link: one flame graph, read-only, without a session. Only a link that cannot be opened leads on. */
export function SharedPage() {
  const { token } = useParams({ from: "/shared/$token" });
  const { data: shared, error } = useQuery(sharedViewQuery(token));
  usePageTitle(shared ? titleOf(shared) : "Shared view");
  if (error) {
    return (
      <PublicFrame>
        <Card>
          <Message
            icon={Link2Off}
            title="This link cannot be opened"
            heading="h1"
            actions={
              <Link to="/" className={buttonClass("secondary")}>
                Go to Start Page
              </Link>
            }
          >
            <p>{error.message}</p>
          </Message>
        </Card>
      </PublicFrame>
    );
  }
  return (
    <PublicFrame>
      {shared === undefined ? (
        <Skeleton className="h-[40rem] w-full" />
      ) : (
        <>
          <Heading shared={shared} />
          <Card className="min-w-0 overflow-clip [--sticky-top:0rem]">
            {shared.graph.kind === "comparison" ? (
              <Suspense fallback={<Skeleton className="h-[40rem] w-full" />}>
                <SharedComparison token={token} look={shared.look} />
              </Suspense>
            ) : (
              <Graph token={token} shared={shared} />
            )}
          </Card>
        </>
      )}
    </PublicFrame>
  );
}

function titleOf({ graph, service, file, type }: SharedView): string {
  if (file !== null) return `${file}: ${profileTypeLabel(type)}`;
  if (graph.kind !== "comparison") return `${service}: ${profileTypeLabel(type)}`;
  const services = [...new Set([graph.before.service, graph.after.service])].join(" and ");
  return `${services}: ${profileTypeLabel(type)}, compared`;
}

function Heading({ shared }: { readonly shared: SharedView }) {
  const { graph, file, from, to, expires_at } = shared;
  return (
    <header className="mb-3">
      <h1 className="break-words font-semibold text-page tracking-tight">{titleOf(shared)}</h1>
      {file === null ? (
        <p className="text-muted">
          {graph.kind === "comparison" ? (
            <ComparedTimes before={graph.before} after={{ ...graph.after, from, to }} />
          ) : (
            <>
              <ExactSpan from={from} to={to} />
              {filterText(graph)}
            </>
          )}
        </p>
      ) : (
        <p className="text-muted">Opened without an account. Anyone with this link can see it.</p>
      )}
      <p className="flex flex-wrap items-center gap-x-3 text-label text-muted">
        {file === null ? `Read-only link, until ${dateText(expires_at)}` : keptText(expires_at)}
        {file !== null && (
          <Link to="/open" className="text-accent-text hover:underline">
            Open another file
          </Link>
        )}
      </p>
    </header>
  );
}

interface Side extends Filtered {
  readonly profile_id: string | null;
  readonly from: string;
  readonly to: string;
}

/** The times of both sides, once where they are the same: then the sides differ by their tags or labels. */
function ComparedTimes({ before, after }: { readonly before: Side; readonly after: Side }) {
  const hasSameTimes = before.from === after.from && before.to === after.to;
  return (
    <>
      {before.profile_id === null && (
        <>
          <ExactSpan from={before.from} to={before.to} />
          {`${filterText(before)}, then `}
        </>
      )}
      {hasSameTimes && before.profile_id === null ? (
        filterText(after).replace(" · ", "") || "the same"
      ) : (
        <>
          <ExactSpan from={after.from} to={after.to} />
          {filterText(after)}
        </>
      )}
    </>
  );
}

interface Filtered {
  readonly tags?: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
}

/** The tags and labels of the profiles that the graph shows. */
function filterText({ tags, labels }: Filtered): string {
  const filters = [...Object.entries(tags ?? {}), ...Object.entries(labels)];
  return filters.map(([name, value]) => ` · ${name}: ${value}`).join("");
}

function Graph({ token, shared }: { readonly token: string; readonly shared: SharedView }) {
  const query = useQuery(sharedGraphQuery(token));
  const zone = useZone();
  const { view, changeView } = useSharedView(shared.look);
  return (
    <FlameGraph
      query={query}
      readStored={() => readStoredFrames(token)}
      profileId={`${shared.file ?? shared.service}-${shared.type}`.replace(/[^\w.-]+/g, "-")}
      titleOf={() =>
        shared.file === null
          ? `${titleOf(shared)} · ${exactSpan(shared.from, shared.to, zone)}`
          : titleOf(shared)
      }
      view={view}
      onViewChange={changeView}
      emptyText="The profiles of this range are no longer stored."
    />
  );
}
