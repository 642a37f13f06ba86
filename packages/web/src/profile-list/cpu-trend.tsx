import { Sparkline } from "#charts/sparkline.tsx";
import { coresColumn, measureText } from "#format/measure.ts";
import { changeMeasure } from "#format/number.ts";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { Quantity } from "#ui/content/values.tsx";
import { cx } from "#ui/cx.ts";
import { type ComparedTrend, cpuChange } from "./service-order.ts";

export type TrendState = "loading" | "failed" | "read";

/** An old reply stays while a later call fails. */
export function trendState({
  data,
  isError,
}: {
  readonly data: unknown;
  readonly isError: boolean;
}): TrendState {
  if (data !== undefined) return "read";
  return isError ? "failed" : "loading";
}

/** The state of one trend: while those of another page load, the last reply is about other services. */
export function trendStateOf(
  trend: ComparedTrend | undefined,
  query: { readonly data: unknown; readonly isError: boolean; readonly isPlaceholderData: boolean },
): TrendState {
  return query.isPlaceholderData && trend === undefined ? "loading" : trendState(query);
}

interface CpuTrendProps {
  readonly name: string;
  readonly state: TrendState;
  readonly trend: ComparedTrend | undefined;
  /** Undefined where the page does not know. */
  readonly hasCpuProfiles?: boolean;
}

/** Why the CPU of profiles is not known: they count samples without a period, or have no duration. */
export const cpuNotRecorded = "profiles lack CPU time or duration";

const leastLargest = 0.1;

/** The CPU of a service: now, against before, and as a line. */
export function CpuTrend({ name, state, trend, hasCpuProfiles }: CpuTrendProps) {
  if (state === "loading") return <Skeleton className="h-8 w-full" />;
  if (state === "failed") return <span className="text-label text-muted">Could not load CPU and health</span>;
  const current = trend?.cpu.current ?? null;
  if (trend === undefined || current === null)
    return <span className="text-label text-muted">{withoutCpu(hasCpuProfiles)}</span>;
  // Three digits and one unit on all cards, as people compare them.
  const cores = coresColumn(Math.max(current, leastLargest))(current);
  return (
    <>
      <span className="shrink-0">
        <span className="block font-semibold text-card leading-5">
          <Quantity value={cores} />
        </span>
        <Change fraction={cpuChange(trend)} />
      </span>
      <span className="min-w-0 flex-1">
        <Sparkline
          label={`CPU of ${name}: ${measureText(cores)} on average`}
          values={trend.cpu.points}
          color="type-cpu"
          heightPx={34}
        />
      </span>
    </>
  );
}

function withoutCpu(hasCpuProfiles: boolean | undefined): string {
  if (hasCpuProfiles === undefined) return "No CPU time in this range";
  return hasCpuProfiles ? `CPU N/A: ${cpuNotRecorded}` : "No CPU profiles in this range";
}

/** From here on an alert is a warning. */
const notable = 0.2;

/** The ink of a change of CPU, a fraction. */
export function changeInk(fraction: number): string {
  if (fraction >= notable) return "text-critical-text";
  return fraction <= -notable ? "text-ok-text" : "text-muted";
}

function Change({ fraction }: { readonly fraction: number | undefined }) {
  if (fraction === undefined) return <span className="block text-label text-muted">No earlier data</span>;
  return (
    <span
      title="Mean CPU of this range against the previous range of the same length"
      className={cx("block text-label", changeInk(fraction))}
    >
      CPU <Quantity value={changeMeasure(fraction * 100)} /> vs. before
    </span>
  );
}
