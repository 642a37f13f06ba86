interface MediaRange {
  /** In small letters: `application/json`, `application/*`, or all of them. */
  readonly name: string;
  /** 0: not acceptable. */
  readonly quality: number;
}

interface Preference {
  readonly quality: number;
  /** 2 for the type itself, 1 for all of its kind, 0 for any type. */
  readonly precision: number;
  readonly place: number;
}

/**
 * The offered media type that an `Accept` header prefers (RFC 9110, 12.5.1), undefined where it takes none of them. Of
 * those with the same quality it is the one that is named more precisely, then earlier; then the one that is offered first.
 */
export function preferredType<T extends string>(
  accept: string | undefined,
  offered: readonly [T, ...T[]],
): T | undefined {
  if (accept === undefined) return offered[0];
  const ranges = accept.split(",").map(toRange);
  const [best] = offered
    .map((type) => ({ type, ...preferenceOf(type, ranges) }))
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality || b.precision - a.precision || a.place - b.place);
  return best?.type;
}

function toRange(text: string): MediaRange {
  const [name = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))?.split("=")[1];
  const quality = weight === undefined ? 1 : Number(weight);
  return { name, quality: Number.isNaN(quality) ? 1 : quality };
}

/** The most precise range that covers the type decides, whatever the others say. */
function preferenceOf(type: string, ranges: readonly MediaRange[]): Preference {
  const name = type.toLowerCase();
  const covering = ["*/*", name.replace(/\/.*/, "/*"), name];
  const precisions = ranges.map((range) => covering.indexOf(range.name));
  const precision = Math.max(...precisions);
  const place = precisions.indexOf(precision);
  return { quality: precision < 0 ? 0 : ranges[place]!.quality, precision, place };
}
