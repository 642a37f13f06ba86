import type { ProfileList } from "@flamekeep/contract";
import { countMeasure } from "#format/number.ts";
import { countOf, typeShares } from "#profile-list/model.ts";
import { TypeBar } from "#profile-list/type-bar.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { Quantity, RelativeTime } from "#ui/content/values.tsx";
import { cx } from "#ui/cx.ts";

interface ServiceSummaryProps {
  readonly list: ProfileList | undefined;
  /** The range in words. */
  readonly label: string;
  /** Whether the list is of the range before. */
  readonly isStale: boolean;
}

export function ServiceSummary({ list, label, isStale }: ServiceSummaryProps) {
  if (list === undefined) return <Skeleton className="mb-6 h-28 rounded-card! sm:h-20" />;
  const latest = list.profiles[0];
  return (
    <dl
      className={cx(
        "mb-6 grid grid-cols-2 gap-x-8 gap-y-4 rounded-card border border-line bg-surface px-4 py-3.5 transition-opacity duration-150 sm:grid-cols-[auto_auto_1fr]",
        isStale && "opacity-55",
      )}
    >
      <div>
        <dt className="text-label text-muted">Profiles, {label.replace(/^Last/, "last")}</dt>
        <dd className="mt-0.5 font-semibold text-page">
          <Quantity value={countMeasure(countOf(list.counts_by_display_type, "all"))} />
        </dd>
      </div>
      <div>
        <dt className="text-label text-muted">Latest profile</dt>
        <dd className="mt-0.5 font-semibold text-page">
          {latest ? <RelativeTime at={latest.timestamp} /> : "N/A"}
        </dd>
      </div>
      <div className="col-span-2 self-center sm:col-span-1">
        <dt className="sr-only">Profiles by type</dt>
        <dd>
          <TypeBar shares={typeShares(list.counts_by_display_type)} />
        </dd>
      </div>
    </dl>
  );
}
