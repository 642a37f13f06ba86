import { explanationOf } from "@flamekeep/flame/compare";
import { type Change, changesOf, growth, type Side } from "./changes.ts";
import { pairedLines } from "./line-values.ts";
import { placeText, printableName } from "./quantity.ts";

interface Wording {
  readonly write: (value: number) => string;
  readonly count: number;
}

/** A smaller change of an own function is not worth reading. */
const ownShareMin = 0.005;
const listedShareMin = 0.02;
const linesShown = 3;

/**
 * The changes between two ranges: the functions of the application, each with the libraries that it calls, then all functions by self
 * value, first those that grew, then those that shrank.
 */
export function changeText(before: Side, after: Side, wording: Wording): string {
  const changes = changesOf(before, after);
  const self = changes.map((change) => growth(change.self));
  const bySelf = changes.toSorted((a, b) => growth(b.self) - growth(a.self));
  const grown = bySelf.filter((change) => growth(change.self) > 0);
  const shrunk = bySelf.filter((change) => growth(change.self) < 0).reverse();
  const whole = { before: before.total / before.divisor, after: after.total / after.divisor };
  const { write, count } = wording;
  return [
    `whole: ${pairText(whole, write)}${ratioText(whole)}`,
    ...explanationLines(self),
    ...pathLines(changes, growth(whole)),
    "",
    "code of the application that changed most (own: with the libraries that it calls):",
    ...orNone(
      ownChanges(changes, whole)
        .slice(0, count)
        .map((change) => ownText(change, wording)),
    ),
    "",
    "grew most (self value, then total):",
    ...orNone(
      worthReading(grown)
        .slice(0, count)
        .map((change) => lineOf(change, wording)),
    ),
    "",
    "shrank most:",
    ...orNone(
      worthReading(shrunk)
        .slice(0, count)
        .map((change) => lineOf(change, wording)),
    ),
  ].join("\n");
}

/** Functions of the application, those whose own code changed most first: somebody can change them. */
function ownChanges(changes: readonly Change[], whole: { before: number; after: number }): readonly Change[] {
  const smallest = ownShareMin * Math.max(whole.before, whole.after);
  return changes
    .filter(({ own }) => growth(own) !== 0 && Math.abs(growth(own)) >= smallest)
    .toSorted((a, b) => Math.abs(growth(b.own)) - Math.abs(growth(a.own)));
}

function orNone(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? ["  none"] : lines;
}

/** The functions that explain the change; no line where no self value changed. */
function explanationLines(changes: readonly number[]): readonly string[] {
  const sizes = changes.map(Math.abs).filter((size) => size > 0);
  const { count, share } = explanationOf(sizes.toSorted((a, b) => b - a));
  if (sizes.length === 0) return [];
  if (count === 0)
    return [`explained: by none of ${sizes.length} changed functions, each is less than 5% of the change`];
  const functions = `${count} of ${sizes.length} changed functions`;
  return [
    `explained: ${functions} ${count === 1 ? "is" : "are"} ${Math.round(100 * share)}% of the change of self values`,
  ];
}

/** The part of the change that a function must have to be on its path. */
const pathShareMin = 0.8;
const pathMax = 5;

/** The functions of the application through which nearly all of the change goes, callers first: the innermost ones. */
function pathLines(changes: readonly Change[], whole: number): readonly string[] {
  const path = changes
    .filter(({ isOwn, total }) => isOwn && whole !== 0 && growth(total) / whole >= pathShareMin)
    .toSorted((a, b) => Math.max(b.total.before, b.total.after) - Math.max(a.total.before, a.total.after));
  if (path.length < 2) return [];
  const places = path.slice(-pathMax).map(({ name, file, line, totalLines, total }) => {
    const [changed] = changedLines(totalLines, growth(total));
    return `${printableName(name)}${placeText(file, changed?.line ?? line)}`;
  });
  return [`path of the change: ${places.join(" > ")}`];
}

/** `  shop.quote (/app/cart.go:57): own 0.1 cores -> 0.3 cores; total ...; line 57 +0.2 cores; new` */
function ownText(change: Change, { write }: Wording): string {
  const { name, file, own, total } = change;
  const lines = changedLines(change.ownLines, growth(own));
  const line = lines[0]?.line ?? change.line;
  const [ownValues, totalValues] = [own, total].map((pair) => pairText(pair, write));
  return [
    `  ${printableName(name)}${placeText(file, line)}: own ${ownValues}`,
    ...(ownValues === totalValues ? [] : [`total ${totalValues}`]),
    ...(lines.length > 1 ? [`lines ${lines.map((each) => lineText(each, write)).join(", ")}`] : []),
    ...newsOf(change),
  ].join("; ");
}

function lineText(each: ReturnType<typeof changedLines>[number], write: Wording["write"]): string {
  return `${each.line} ${each.before === 0 ? `new ${write(each.after)}` : pairText(each, write)}`;
}

/** `0.1 -> 0.3 cores`, `900 KB -> 1.2 MB` */
function pairText(
  { before, after }: { readonly before: number; readonly after: number },
  write: Wording["write"],
): string {
  const [from, to] = [write(before), write(after)];
  const unit = to.slice(to.indexOf(" "));
  return `${from.endsWith(unit) ? from.slice(0, -unit.length) : from} -> ${to}`;
}

/** The lines of the later side that changed most in the direction of the function; of a function that is gone those that it had. */
function changedLines({ before, after }: Change["ownLines"], change: number) {
  const sign = Math.sign(change);
  const pairs = after.size > 0 ? pairedLines(before, after) : goneLines(before);
  return pairs
    .filter((each) => each.line > 0 && sign * growth(each) > 0.1 * Math.abs(change))
    .toSorted((a, b) => sign * (growth(b) - growth(a)))
    .slice(0, linesShown);
}

function goneLines(before: ReadonlyMap<number, number>) {
  return Array.from(before, ([line, value]) => ({ line, before: value, after: 0 }));
}

function newsOf({ total, movedFrom }: Change): readonly string[] {
  if (movedFrom !== undefined) return [`moved from ${printableName(movedFrom)}`];
  if (total.before === 0) return ["new"];
  return total.after === 0 ? ["gone"] : [];
}

function lineOf(change: Change, { write }: Wording): string {
  const [self, total] = [change.self, change.total].map((pair) => pairText(pair, write));
  const totals = self === total ? [] : [`total ${total}`];
  return [`  ${printableName(change.name)}: self ${self}`, ...totals, ...newsOf(change)].join("; ");
}

/** Without changes that are small next to the first one. */
function worthReading(sorted: readonly Change[]): readonly Change[] {
  const [largest] = sorted;
  return sorted.filter(
    ({ self }) => Math.abs(growth(self)) >= listedShareMin * Math.abs(growth(largest!.self)),
  );
}

function ratioText({ before, after }: { readonly before: number; readonly after: number }): string {
  if (before === 0) return "";
  const percent = ((after - before) / before) * 100;
  return ` (${percent >= 0 ? "+" : ""}${percent.toFixed(1)}%)`;
}
