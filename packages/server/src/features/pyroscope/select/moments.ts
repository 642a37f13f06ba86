import { invalid } from "#failure";

/** The forms that `momentOf` reads. */
export const renderFormats = "now, a time before now such as now-1h, or Unix seconds or milliseconds";

const unitMs: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/**
 * Unix milliseconds of a time as Pyroscope's addresses have it: `now`, `now-1h`, or digits, whose number distinguishes seconds, milliseconds (13),
 * microseconds (16) and nanoseconds (19). Throws `invalid` with the accepted forms.
 */
export function momentOf(text: string, nowMs: number): number {
  if (/^\d{1,19}$/.test(text)) {
    const value = Number(text);
    if (text.length === 13) return value;
    if (text.length === 16) return Math.floor(value / 1e3);
    if (text.length === 19) return Math.floor(value / 1e6);
    return value * 1000;
  }
  const [, , amount, unit = ""] = /^now(-(\d{1,6})([a-z]{1,3}))?$/.exec(text) ?? [];
  if (text === "now") return nowMs;
  const ms = Object.hasOwn(unitMs, unit) ? unitMs[unit] : undefined;
  if (amount === undefined || ms === undefined) throw invalid(`A time must be ${renderFormats}.`);
  return nowMs - Number(amount) * ms;
}
