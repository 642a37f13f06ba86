import { type CoveredSignal, profileTypes } from "@flamekeep/contract";
import { alertName } from "#alert-list/model.ts";
import { sampleTypeLabel } from "#format/sample-value.ts";

/** `CPU time`, or `p95 of GET /checkout`. */
export function signalName(signal: Pick<CoveredSignal, "sample_type" | "signal" | "route">): string {
  if (signal.signal !== undefined) return alertName(signal);
  // Programs name their own types like shop/open_carts/count.
  return sampleTypeLabel(signal.sample_type.slice(0, signal.sample_type.lastIndexOf("/")));
}

/** `50 min`, `12 h` or `3 d`, rounded up. */
export function withinText(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  if (minutes <= 90) return `${minutes} min`;
  const hours = Math.ceil(minutes / 60);
  return hours <= 48 ? `${hours} h` : `${Math.ceil(hours / 24)} d`;
}

/** A rise as a whole percentage, rounded up: `18%`. */
export function riseText(increase: number): string {
  return `${Math.ceil(100 * increase - 1e-9)}%`;
}

/** `±3%`, with one decimal below 1%. */
export function noiseText(deviation: number): string {
  const percent = 100 * deviation;
  return `±${percent < 1 ? Math.max(0.1, percent).toFixed(1) : Math.round(percent)}%`;
}

/** The sentence has a second rise only if it is smaller by at least this fraction. */
const differenceMin = 0.03;
/** Rises from this fraction on are easier to read as multiples. */
const percentMax = 2;

/** `A rise of 18% is found within 50 min, one of 15% within 24 h.` */
export function sightText({ judged_by, smallest, within_hour }: CoveredSignal): string {
  if (judged_by === "nothing") return "Not judged.";
  if (smallest === null) return "No rise is found.";
  const first = within_hour ?? smallest;
  const text = `A rise ${sizeText(first.increase)} is found within ${withinText(first.within_seconds)}`;
  if (first.increase - smallest.increase < differenceMin) return `${text}.`;
  return `${text}, one ${sizeText(smallest.increase)} within ${withinText(smallest.within_seconds)}.`;
}

function sizeText(increase: number): string {
  return increase < percentMax ? `of ${riseText(increase)}` : `to ${Math.ceil(1 + increase)} times the level`;
}

/** The reasons that three or more signals share, with the number of these signals. */
export function sharedReasons(
  signals: readonly CoveredSignal[],
): readonly { readonly text: string; readonly signals: number }[] {
  // By text: one code has different texts for profiles and requests.
  const byText = Map.groupBy(
    signals.flatMap(({ reason }) => reason ?? []),
    ({ text }) => text,
  );
  return [...byText].flatMap(([text, { length }]) => (length < 3 ? [] : [{ text, signals: length }]));
}

/** Signals of profiles in the order of their types, then signals of routes; last signals that are not judged. */
export function inReadingOrder(signals: readonly CoveredSignal[]): CoveredSignal[] {
  const rank = ({ judged_by, signal, type }: CoveredSignal) =>
    Number(judged_by === "nothing") * 20 + Number(signal !== undefined) * 10 + profileTypes.indexOf(type);
  return signals.toSorted((a, b) => rank(a) - rank(b));
}
