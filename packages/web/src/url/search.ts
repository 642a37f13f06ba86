// Search parameters of the URL, which people edit and share: malformed ones are ignored. Every page needs these rules before
// it shows anything, so they are a few functions and no library.

/** The value of a search parameter, or undefined if it is malformed. The router has parsed it as JSON where it is JSON. */
export type Reader<T> = (value: unknown) => T | undefined;

type Shape = Readonly<Record<string, Reader<unknown>>>;

export type SearchOf<S extends Shape> = { [K in keyof S]?: Exclude<ReturnType<S[K]>, undefined> | undefined };

interface TextRules {
  readonly min?: number;
  readonly max: number;
}

export function text({ min = 0, max }: TextRules): Reader<string> {
  return (value) =>
    typeof value === "string" && value.length >= min && value.length <= max ? value : undefined;
}

export function textLike(pattern: RegExp): Reader<string> {
  return (value) => (typeof value === "string" && pattern.test(value) ? value : undefined);
}

export function oneOf<const T>(...values: readonly T[]): Reader<T> {
  return (value) => values.find((each) => each === value);
}

export function wholeNumber(min: number): Reader<number> {
  return (value) => (Number.isSafeInteger(value) && Number(value) >= min ? Number(value) : undefined);
}

/** A finite number from 0 on. */
export const amount: Reader<number> = (value) =>
  typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;

/** Distinct values of a parameter that may be given several times. Malformed ones, and all beyond `max`, are ignored. */
export function several<T>(each: Reader<T>, max: number): Reader<readonly T[]> {
  return (value) => {
    const values = [value].flat().map((item) => each(item));
    const found = values.filter((item) => item !== undefined);
    return found.length === 0 ? undefined : [...new Set(found)].slice(0, max);
  };
}

/** Texts by name; undefined if one of them is malformed. */
export function texts(name: TextRules, each: TextRules): Reader<Readonly<Record<string, string>>> {
  const [isName, isText] = [text(name), text(each)];
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    const entries = Object.entries(value);
    const isValid = entries.every(([key, item]) => isName(key) !== undefined && isText(item) !== undefined);
    return isValid ? (value as Record<string, string>) : undefined;
  };
}

/** Read elsewhere, by a codec with fallbacks. */
export const anything: Reader<unknown> = (value) => value ?? undefined;

/** Reads the parameters of the shape, and leaves out all others. Malformed ones become undefined. */
export function searchReader<S extends Shape>(
  shape: S,
): (raw: Readonly<Record<string, unknown>>) => SearchOf<S> {
  const readers = Object.entries(shape);
  return (raw) =>
    Object.fromEntries(
      readers.flatMap(([name, read]) => (Object.hasOwn(raw, name) ? [[name, read(raw[name])]] : [])),
    ) as SearchOf<S>;
}
