import { alertIncreaseMin, type CoveredSignal, profileTypes } from "@flamekeep/contract";
import { useState } from "react";
import { alertName } from "#alert-list/model.ts";
import { plural, wholePercentText } from "#format/number.ts";
import { sampleTypeLabel } from "#format/sample-value.ts";
import { Badge } from "#ui/content/badge.tsx";
import { ProfileTypeBadge } from "#ui/content/profile-type-badge.tsx";
import { TableHead, tableClass } from "#ui/content/table.tsx";
import { Button } from "#ui/controls/button.tsx";
import { useIsPhone } from "#ui/hooks/use-media.ts";

/** Services with many routes or custom types have hundreds of signals. */
const listedFirst = 12;

export function CoverageTable({ signals }: { readonly signals: readonly CoveredSignal[] }) {
  const [isWhole, setIsWhole] = useState(false);
  const isPhone = useIsPhone();
  const ordered = inReadingOrder(signals);
  const reasons = sharedReasons(signals);
  const shared = new Set(reasons.map(({ text }) => text));
  const listed = isWhole ? ordered : ordered.slice(0, listedFirst);
  return (
    <div className="overflow-x-auto border-line border-t">
      {reasons.length > 0 && (
        <ul className="border-line border-b px-4 py-2.5 text-muted">
          {reasons.map(({ text, signals: count }) => (
            <li key={text} className="max-w-prose">
              {plural(count, "signal")}: {text.charAt(0).toLowerCase() + text.slice(1)}
            </li>
          ))}
        </ul>
      )}
      {isPhone ? (
        <SignalList signals={listed} shared={shared} />
      ) : (
        <SignalTable signals={listed} shared={shared} />
      )}
      {listed.length < ordered.length && (
        <div className="border-line border-t px-4 py-2">
          <Button size="sm" variant="ghost" onClick={() => setIsWhole(true)}>
            List all {plural(ordered.length, "signal")}
          </Button>
        </div>
      )}
    </div>
  );
}

interface SignalsProps {
  readonly signals: readonly CoveredSignal[];
  /** Texts of the reasons that are listed above the table. */
  readonly shared: ReadonlySet<string>;
}

function SignalTable({ signals, shared }: SignalsProps) {
  const rises = signals[0]?.rises.map(({ increase }) => increase) ?? [];
  return (
    <table className={tableClass}>
      <thead>
        <tr>
          <TableHead>Signal</TableHead>
          <TableHead isNumeric>Normal variation</TableHead>
          {rises.map((increase) => (
            <TableHead key={increase} isNumeric>
              +{wholePercentText(increase)}
            </TableHead>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line border-line border-t">
        {signals.map((signal) => (
          <tr key={keyOf(signal)} className="align-top">
            <th scope="row" className="px-3 py-2.5 pl-4 text-left font-normal">
              <SignalText signal={signal} isReasonShared={shared.has(signal.reason?.text ?? "")} />
            </th>
            <td className="whitespace-nowrap px-3 py-2.5 text-right tabular-nums">
              <Noise noise={signal.noise} />
            </td>
            {signal.rises.map(({ increase, within_seconds: within }) => (
              <td key={increase} className="whitespace-nowrap px-3 py-2.5 text-right tabular-nums last:pr-4">
                <Within seconds={within} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** For phones, which have no room for columns: each signal lists its rises below its sentence. */
function SignalList({ signals, shared }: SignalsProps) {
  return (
    <ul className="divide-y divide-line">
      {signals.map((signal) => (
        <li key={keyOf(signal)} className="px-4 py-3">
          <SignalText signal={signal} isReasonShared={shared.has(signal.reason?.text ?? "")} />
          {signal.judged_by !== "nothing" && (
            <dl className="mt-2 grid grid-cols-5 gap-2 text-label tabular-nums">
              <div>
                <dt className="text-muted">Normal</dt>
                <dd>
                  <Noise noise={signal.noise} isShort />
                </dd>
              </div>
              {signal.rises.map(({ increase, within_seconds: within }) => (
                <div key={increase}>
                  <dt className="text-muted">+{wholePercentText(increase)}</dt>
                  <dd>
                    <Within seconds={within} />
                  </dd>
                </div>
              ))}
            </dl>
          )}
        </li>
      ))}
    </ul>
  );
}

interface SignalTextProps {
  readonly signal: CoveredSignal;
  readonly isReasonShared: boolean;
}

function SignalText({ signal, isReasonShared }: SignalTextProps) {
  return (
    <>
      <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
        {signal.signal === undefined ? <ProfileTypeBadge type={signal.type} /> : <Badge>HTTP</Badge>}
        <span className="wrap-anywhere font-medium">{signalName(signal)}</span>
      </span>
      <span className="mt-0.5 block">{sightText(signal)}</span>
      {signal.reason !== null && !isReasonShared && (
        <span className="block max-w-prose text-label text-muted">{signal.reason.text}</span>
      )}
    </>
  );
}

function Noise({ noise, isShort = false }: Pick<CoveredSignal, "noise"> & { readonly isShort?: boolean }) {
  if (noise === null) return <Nothing text="unknown" />;
  return (
    <>
      {noiseText(noise.deviation)}
      {!isShort && <span className="text-label text-muted"> in {withinText(noise.window_seconds)}</span>}
    </>
  );
}

function Within({ seconds }: { readonly seconds: number | null }) {
  return seconds === null ? <Nothing text="not detected" /> : withinText(seconds);
}

function Nothing({ text }: { readonly text: string }) {
  return (
    <span className="text-muted">
      <span aria-hidden>-</span>
      <span className="sr-only">{text}</span>
    </span>
  );
}

function keyOf({ type, sample_type, signal, route }: CoveredSignal): string {
  return JSON.stringify([type, sample_type, signal, route]);
}

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

/** `Detects +25% within 50 min, +18% within 24 h. An increase of 15% is not detected.` */
export function sightText({ judged_by, smallest, within_hour }: CoveredSignal): string {
  if (judged_by === "nothing") return "Not evaluated.";
  if (smallest === null) return "No increase is detected.";
  const first = within_hour ?? smallest;
  const found = [`${sizeText(first.increase)} within ${withinText(first.within_seconds)}`];
  if (first.increase - smallest.increase >= differenceMin) {
    found.push(`${sizeText(smallest.increase)} within ${withinText(smallest.within_seconds)}`);
  }
  const isLeastFound = smallest.increase <= alertIncreaseMin;
  const missed = isLeastFound ? "" : ` An increase of ${wholePercentText(alertIncreaseMin)} is not detected.`;
  return `Detects ${found.join(", ")}.${missed}`;
}

function sizeText(increase: number): string {
  return increase < percentMax ? `+${riseText(increase)}` : `${Math.ceil(1 + increase)} times the level`;
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
