import { Link } from "@tanstack/react-router";
import { Suspense } from "react";
import { lazyPart } from "#api/import-page.ts";
import { spanText } from "#charts/model/time-ticks.ts";
import { durationMsMeasure } from "#format/measure.ts";
import { plural } from "#format/number.ts";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { ExactTime, Quantity } from "#ui/content/values.tsx";
import { spanOfSide } from "./model.ts";
import { SideRange } from "./side-range.tsx";
import { SideTags } from "./side-tags.tsx";
import type { SideProps } from "./side-timeline.tsx";
import { TimelineSkeleton } from "./timeline-skeleton.tsx";

// With the library of charts, which is not needed until the comparison is there.
const SideTimeline = lazyPart(async () => (await import("./side-timeline.tsx")).SideTimeline);

/** One side: which profiles it is made of, on a timeline where dragging chooses others. */
export function SideCard({ name, compare, meta, sampleType, window }: SideProps) {
  const side = meta[name];
  const span = spanOfSide(side);
  const title = name === "before" ? "Before" : "After";
  const detail =
    side.profileId === null
      ? `${side.service}, ${spanText(span.fromMs, span.toMs, compare.zone)}, ${plural(side.profiles, "profile")}`
      : side.service;
  return (
    <Card className="min-w-0">
      <CardHeader
        title={title}
        detail={detail}
        actions={
          <div className="flex min-w-0 flex-wrap gap-2">
            {side.profileId === null && <SideRange {...{ name, side, compare }} />}
            {side.profileId === null && (
              <SideTags
                label={`Tags of ${title.toLowerCase()}`}
                noun="Tag"
                example="version:1.4.2"
                tags={side.tags}
                onChange={(tags) => compare.changeSide(name, { tags })}
              />
            )}
            <SideTags
              label={`Labels of ${title.toLowerCase()}`}
              noun="Label"
              example="handler:/checkout"
              tags={side.labels ?? {}}
              onChange={(labels) => compare.changeSide(name, { labels })}
            />
          </div>
        }
      />
      {side.profileId === null ? (
        <Suspense
          fallback={
            <div className="px-3 pb-2">
              <TimelineSkeleton />
            </div>
          }
        >
          <SideTimeline {...{ name, compare, meta, sampleType, window }} />
        </Suspense>
      ) : (
        <dl className="grid grid-cols-2 gap-4 px-4 pb-4 text-label">
          <div>
            <dt className="text-muted">Profile</dt>
            <dd>
              <Link
                to="/profile/$profileId"
                params={{ profileId: side.profileId }}
                className="font-mono text-accent-text text-code hover:underline"
              >
                {side.profileId.slice(0, 12)}
              </Link>
            </dd>
          </div>
          <div>
            <dt className="text-muted">Started</dt>
            <dd>
              <ExactTime at={side.from} />
              {side.durationMs > 0 && (
                <>
                  {", for "}
                  <Quantity value={durationMsMeasure(side.durationMs)} />
                </>
              )}
            </dd>
          </div>
        </dl>
      )}
    </Card>
  );
}
