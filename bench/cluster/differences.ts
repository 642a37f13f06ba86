import type { Figures } from "./figures.ts";

const textLengthMax = 80;
/** Digits of a number that are compared. The last ones of a sum of fractions depend on the order of addition. */
const digits = 12;

/** One sentence for each call whose figures differ, or that has none. */
export function differencesOf(expected: Figures, found: Figures): string[] {
  const paths = [...new Set([...expected.keys(), ...found.keys()])].sort();
  return paths.flatMap((path) => {
    const place = failureOf(expected.get(path)) ?? firstDifference(expected.get(path), found.get(path));
    return place === undefined ? [] : [`${path}: ${place}`];
  });
}

/** A call that fails the same way everywhere compares nothing: its name may be an old one. */
function failureOf(expected: unknown): string | undefined {
  return typeof expected === "string" && expected.startsWith("answered ")
    ? `the one server ${expected}`
    : undefined;
}

function firstDifference(expected: unknown, found: unknown, place = ""): string | undefined {
  if (expected === found || areEqualNumbers(expected, found)) return undefined;
  if (!isParent(expected) || !isParent(found))
    return `${place || "/"} is ${textOf(found)} instead of ${textOf(expected)}`;
  const keys = new Set([...Object.keys(expected), ...Object.keys(found)]);
  for (const key of keys) {
    const difference = firstDifference(expected[key], found[key], `${place}/${key}`);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function areEqualNumbers(expected: unknown, found: unknown): boolean {
  if (typeof expected !== "number" || typeof found !== "number") return false;
  if (Number.isInteger(expected) && Number.isInteger(found)) return false;
  return expected.toPrecision(digits) === found.toPrecision(digits);
}

function isParent(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function textOf(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > textLengthMax ? `${text.slice(0, textLengthMax)}...` : text;
}
