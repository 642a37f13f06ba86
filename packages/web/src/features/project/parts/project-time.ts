import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import type { TimeSpan } from "#charts/model/series.ts";
import { type BucketChoice, saveBucketChoice, savedBucketChoice } from "#preferences/time-bucket.ts";
import { useTimeRange } from "#time-range/use-time-range.ts";
import { betweenRange, boundsOf } from "#time-range/view-range.ts";
import type { Scope } from "./queries.ts";
import { automaticBucket } from "./timeline.ts";

const fastestMs = 15_000;

/** The time range and the width of a point, from the URL, else the saved choices. */
export function useProjectTime(service: string) {
  const time = useTimeRange();
  const { bucket: inUrl }: { readonly bucket?: BucketChoice | undefined } = useSearch({ strict: false });
  const navigate = useNavigate();
  const chosen = inUrl ?? savedBucketChoice();
  const { fromMs, toMs } = boundsOf(time.range, Date.now());
  const refetchInterval = time.refreshMs(fastestMs);
  const scope = useMemo(
    (): Scope => ({ service, range: time.query, refetchInterval }),
    [service, time.query, refetchInterval],
  );

  function chooseBucket(next: BucketChoice) {
    saveBucketChoice(next);
    const search = (before: Record<string, unknown>) => ({ ...before, bucket: next });
    void navigate({ to: ".", search, replace: true, resetScroll: false });
  }

  /** Shows what was selected on a chart. Browser Back returns. */
  function zoomTo(span: TimeSpan | undefined) {
    const range = span && betweenRange(span.fromMs, Math.min(span.toMs, Date.now()));
    if (range !== undefined) time.change(range);
  }

  return {
    scope,
    label: time.label,
    refreshMs: time.refreshMs,
    zone: time.zone,
    bucket: chosen === "auto" ? automaticBucket(toMs - fromMs) : chosen,
    bucketChoice: chosen,
    chooseBucket,
    zoomTo,
  };
}

export type ProjectTime = ReturnType<typeof useProjectTime>;
