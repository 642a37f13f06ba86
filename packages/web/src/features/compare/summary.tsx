import type { CallTree } from "@flamekeep/flame";
import type { ComparisonMeta } from "@flamekeep/flame/compare";
import { useMemo } from "react";
import { isComparable } from "#comparison/model.ts";
import { changeText, normalisationSentence, perText, scalingOf } from "#flame-graph/reading/change-text.ts";
import { profileTypeLabel } from "#format/names.ts";
import { cx, staleClass } from "#ui/cx.ts";

interface SummaryProps {
  readonly comparison: CallTree;
  readonly meta: ComparisonMeta;
  readonly isStale: boolean;
}

/** The result in two lines: how much the total changed, and how the sides were made comparable. */
export function Summary({ comparison, meta, isStale }: SummaryProps) {
  const [normalisation] = meta.normalisations;
  const scaling = useMemo(
    () => scalingOf(comparison, meta, "absolute", normalisation),
    [comparison, meta, normalisation],
  );
  const total = changeText(scaling, meta.before.total, meta.after.total);
  const isCompared = isComparable(comparison, meta);
  const services = [...new Set([meta.before.service, meta.after.service])].join(" and ");
  return (
    <div className={cx("min-w-0 flex-1 basis-80", staleClass(isStale))}>
      <h2 className="break-words font-semibold text-page tracking-tight">
        {services}: {profileTypeLabel(meta.type)}
        {isCompared && (
          <>
            {` ${total.before} → ${total.after}${perText(normalisation, meta)} `}
            <span className="text-muted">({total.percent})</span>
          </>
        )}
      </h2>
      {isCompared && (
        <p className="text-label text-muted">
          {normalisationSentence(normalisation, meta)}
          {meta.noRequests !== null && meta.aggregation === "sum" && ` Not per request: ${meta.noRequests}.`}
        </p>
      )}
    </div>
  );
}
