import { hourMs, minuteMs } from "#base/durations.ts";
import type { Alert } from "./alert.ts";

type Compared = Pick<
  Alert,
  "service" | "profile_type" | "sample_type" | "culprit" | "previous_range" | "current_range"
>;

/** The search of the comparison page for the two ranges of an alert, in which its culprit is selected. */
export function alertComparisonSearch({
  service,
  profile_type: type,
  sample_type,
  culprit,
  previous_range: before,
  current_range: after,
}: Compared) {
  const ranges = {
    before_from: before.from,
    before_to: before.to,
    after_from: after.from,
    after_to: after.to,
  };
  return { service, type, sample_type, ...ranges, ...(culprit && { fn: functionLink(culprit) }) };
}

/** Go names carry their package. */
const goFile = /\.(?:go|s)$/;

/** The text by which a link to a flame graph (`fn`) refers to a function: with its file, because other files may have the same name. */
export function functionLink({ name, file = "" }: { readonly name: string; readonly file?: string }): string {
  return file === "" || goFile.test(file) ? name : `${name} (${file})`;
}

/** Unix milliseconds. */
interface AlertTimes {
  /** The beginning of the rise, or of the range in which it was worse. */
  readonly beganMs: number;
  readonly openedMs: number;
  /** null while it is open. */
  readonly resolvedMs: number | null;
  /** The start of the range before. */
  readonly comparedFromMs: number;
}

/**
 * The time to show for an alert, in whole minutes: it begins with the range before, or earlier, so that at least an hour and a third of
 * the span are before the rise; it ends now, or an hour after the alert. So neither is at an edge of its chart.
 */
export function alertSpan(
  { beganMs, openedMs, resolvedMs, comparedFromMs }: AlertTimes,
  nowMs: number,
): { readonly fromMs: number; readonly toMs: number } {
  const lastMs = Math.max(nowMs, openedMs);
  const endMs = resolvedMs === null ? lastMs : Math.min(lastMs, resolvedMs + hourMs);
  const leadMs = Math.max(hourMs, (endMs - beganMs) / 2);
  const fromMs = Math.min(comparedFromMs, beganMs - leadMs);
  return {
    fromMs: Math.floor(fromMs / minuteMs) * minuteMs,
    toMs: Math.ceil(endMs / minuteMs) * minuteMs,
  };
}

type Signal = Pick<Alert, "status" | "culprit" | "increase">;

/** The signal of an incident to look at first: an open one, with a known function, that rose most. Throws without a signal. */
export function worstSignal<S extends Signal>(signals: readonly S[]): S {
  const rank = ({ status, culprit, increase }: S) => [
    Number(status === "open"),
    Number(culprit !== undefined),
    increase,
  ];
  const [worst] = signals.toSorted((a, b) => {
    const [one, other] = [rank(a), rank(b)];
    const differs = one.findIndex((value, index) => value !== other[index]);
    return differs < 0 ? 0 : (other[differs] ?? 0) - (one[differs] ?? 0);
  });
  if (worst === undefined) throw new TypeError("An incident has at least one signal");
  return worst;
}
