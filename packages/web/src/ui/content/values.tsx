import { type Measure, unitGap } from "#format/measure.ts";
import { clockTime, exactSpan, exactTime, relativeTime } from "#format/time.ts";
import { useZone } from "#preferences/time-zone.ts";
import { useMinute, useNow } from "#ui/hooks/use-now.ts";

/** A number with a smaller, muted unit. A percent sign belongs to the number. */
export function Quantity({ value: { number, unit } }: { readonly value: Measure }) {
  return (
    <span data-quantity className="whitespace-nowrap">
      <Figures number={number} />
      {unit === "%" && unit}
      {unit !== "" && unit !== "%" && (
        <span className={unitClass}>
          {unitGap(unit)}
          {unit}
        </span>
      )}
    </span>
  );
}

const unitClass = "font-normal text-[0.82em] text-muted";

/** The first unit of `16 min 18` looks as the last one does. */
function Figures({ number }: { readonly number: string }) {
  const [large, unit, rest] = number.split(" ");
  if (rest === undefined) return number;
  return (
    <>
      {large} <span className={unitClass}>{unit}</span> {rest}
    </>
  );
}

/** Date and time to the second in the chosen zone. */
export function ExactTime({ at }: { readonly at: string }) {
  return <time dateTime={at}>{exactTime(at, useZone())}</time>;
}

/** From and to, to the second, in the chosen zone. */
export function ExactSpan({ from, to }: { readonly from: string; readonly to: string }) {
  return <span>{exactSpan(from, to, useZone())}</span>;
}

/** A relative time, with the exact time on hover. */
export function RelativeTime({ at }: { readonly at: string }) {
  const now = useNow();
  const zone = useZone();
  return (
    <time dateTime={at} title={exactTime(at, zone)} className="whitespace-nowrap">
      {relativeTime(at, now)}
    </time>
  );
}

/** The time of day, with the date unless it is today; age and seconds on hover. */
export function ClockTime({ at }: { readonly at: string }) {
  const now = useMinute();
  const zone = useZone();
  return (
    <time
      dateTime={at}
      title={`${relativeTime(at, now)}, ${exactTime(at, zone)}`}
      className="whitespace-nowrap"
    >
      {clockTime(at, now, zone)}
    </time>
  );
}
