import type { CoveredSignal } from "@flamekeep/contract";
import { useState } from "react";
import { plural, wholePercentText } from "#format/number.ts";
import { Badge } from "#ui/content/badge.tsx";
import { ProfileTypeBadge } from "#ui/content/profile-type-badge.tsx";
import { TableHead, tableClass } from "#ui/content/table.tsx";
import { Button } from "#ui/controls/button.tsx";
import { useIsPhone } from "#ui/hooks/use-media.ts";
import { inReadingOrder, noiseText, sharedReasons, sightText, signalName, withinText } from "./model.ts";

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
          <TableHead isNumeric>Usual change</TableHead>
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
                <dt className="text-muted">Usual</dt>
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

function Noise({
  noise,
  isShort = false,
}: {
  readonly noise: CoveredSignal["noise"];
  readonly isShort?: boolean;
}) {
  if (noise === null) return <Nothing text="not known" />;
  return (
    <>
      {noiseText(noise.deviation)}
      {!isShort && <span className="text-label text-muted"> in {withinText(noise.window_seconds)}</span>}
    </>
  );
}

function Within({ seconds }: { readonly seconds: number | null }) {
  return seconds === null ? <Nothing text="not found" /> : withinText(seconds);
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
