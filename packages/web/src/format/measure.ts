/** A number and its unit, separate so that a page can style the unit. */
export interface Measure {
  readonly number: string;
  readonly unit: string;
}

/** `12.4 ms`, `20%`, `3.2/s`. */
export function measureText({ number, unit }: Measure): string {
  return `${number}${unitGap(unit)}${unit}`;
}

/** Between a number and its unit. */
export function unitGap(unit: string): "" | " " {
  return unit === "" || unit === "%" || unit.startsWith("/") ? "" : " ";
}

/** Three significant digits below 1,000, whole numbers above; no trailing zeros. */
export function threeDigits(value: number): string {
  const size = Math.abs(value);
  if (size >= 100 || Number.isInteger(value)) return withMinus(Math.round(value).toLocaleString("en-US"));
  return withMinus(value.toFixed(size >= 10 ? 1 : 2).replace(/(?:\.0+|(?<=[1-9])0+)$/, ""));
}

/** The largest step not above the value's size. `steps` go from small to large and start at 1 or below. */
function scaled(value: number, steps: readonly (readonly [factor: number, unit: string])[]): Measure {
  const size = Math.abs(value);
  const fitting = steps.findLast(([factor]) => size >= factor) ?? steps[0];
  if (fitting === undefined) return { number: threeDigits(value), unit: "" };
  return { number: threeDigits(value / fitting[0]), unit: fitting[1] };
}

const byteSteps = [
  [1, "B"],
  [1024, "KB"],
  [1024 ** 2, "MB"],
  [1024 ** 3, "GB"],
  [1024 ** 4, "TB"],
] as const;

/** `48.2 MB`, where 1 MB is 2^20 bytes, as in pprof. */
export function bytesMeasure(bytes: number): Measure {
  return scaled(bytes, byteSteps);
}

const shortSteps = [
  [1, "ns"],
  [1e3, "µs"],
  [1e6, "ms"],
  [1e9, "s"],
] as const;

const minuteNs = 60e9;

const longSteps = [
  { units: ["min", "s"], smallNs: 1e9, ratio: 60, untilNs: 60 * minuteNs },
  { units: ["h", "min"], smallNs: minuteNs, ratio: 60, untilNs: 24 * 60 * minuteNs },
  { units: ["d", "h"], smallNs: 60 * minuteNs, ratio: 24, untilNs: Number.POSITIVE_INFINITY },
] as const;

/** `870 ns`, `9.87 s`; from a minute on in two units: `16 min 18 s`, `2 h 5 min`, `3 d 4 h`. */
export function durationMeasure(ns: number): Measure {
  if (ns === 0) return { number: "0", unit: "s" };
  const size = Math.abs(ns);
  if (size < minuteNs) return scaled(ns, shortSteps);
  const step = longSteps.find(({ smallNs, untilNs }) => Math.round(size / smallNs) * smallNs < untilNs);
  const { units, smallNs, ratio } = step ?? longSteps[2];
  const whole = Math.round(size / smallNs);
  const large = `${ns < 0 ? "−" : ""}${Math.floor(whole / ratio)}`;
  const rest = whole % ratio;
  return rest === 0
    ? { number: large, unit: units[0] }
    : { number: `${large} ${units[0]} ${rest}`, unit: units[1] };
}

export function durationMsMeasure(ms: number): Measure {
  return durationMeasure(ms * 1e6);
}

const coresFormat = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 3 });

const decimalsMax = 3;

/** From this size on, the values of a column are in cores. */
const coresFrom = 0.1;

/**
 * Writes the values of one column or list in one unit and with one number of decimals, so that they can be compared: `0.357 cores`,
 * `0.240 cores`, `<0.001 cores`. A column of small values is in thousandths: `3.24 mcores`.
 *
 * @param largest of the column, in cores; it gets `digits` significant digits
 */
export function coresColumn(largest: number, digits = 3): (cores: number) => Measure {
  const isSmall = Math.abs(largest) < coresFrom;
  const factor = isSmall ? 1000 : 1;
  const unit = isSmall ? "mcores" : "cores";
  const size = Math.abs(largest) * factor;
  const decimals =
    size === 0 ? 0 : Math.min(decimalsMax, Math.max(0, digits - 1 - Math.floor(Math.log10(size))));
  const least = 10 ** -decimals;
  const format = new Intl.NumberFormat("en-US", {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  return (cores) => {
    const value = cores * factor;
    if (value === 0) return { number: "0", unit };
    // A value above zero is never shown as zero.
    if (Math.abs(value) < least / 2) {
      return { number: value < 0 ? `>−${format.format(least)}` : `<${format.format(least)}`, unit };
    }
    return { number: withMinus(format.format(value)), unit };
  };
}

/** `0.32 cores`, `1 core`. */
export function coresMeasure(cores: number): Measure {
  const number = withMinus(coresFormat.format(cores));
  return { number, unit: number === "1" ? "core" : "cores" };
}

/** A formatted number with a minus sign (U+2212) if it is negative; one that rounds to zero has none. */
export function withMinus(text: string): string {
  if (!text.startsWith("-")) return text;
  const size = text.slice(1);
  return /[1-9]/.test(size) ? `−${size}` : size;
}
