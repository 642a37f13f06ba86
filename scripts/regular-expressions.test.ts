// Text from outside must not stop the server: every expression of the sources runs over growing hostile input.
import { globSync, readFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { createContext, Script } from "node:vm";
import { isFullLength } from "@flamekeep/profile/testing/full-length";
import { expect, test } from "vitest";
import { parseAst } from "vitest/node";

const root = fileURLToPath(new URL("..", import.meta.url));

/** An expression as it is written, and the file that has it. */
interface Found {
  readonly pattern: string;
  readonly flags: string;
  readonly path: string;
}

function expressions(): Map<string, Found> {
  const found = new Map<string, Found>();
  const sources = globSync("packages/*/src/**/*.{ts,tsx}", { cwd: root });
  for (const path of sources.filter((path) => !/\.test\.|\/testing\/|\/assembly\//.test(path))) {
    for (const { pattern, flags } of expressionsIn(path, readFileSync(root + path, "utf8"))) {
      found.set(`/${pattern}/${flags}`, { pattern, flags, path });
    }
  }
  return found;
}

type Written = Pick<Found, "pattern" | "flags">;

/** A node of the syntax tree, as far as expressions need it. */
interface Syntax {
  readonly type?: string;
  readonly regex?: Written;
  readonly name?: string;
  readonly value?: unknown;
  readonly callee?: Syntax;
  readonly id?: Syntax;
  readonly init?: Syntax;
  readonly arguments?: readonly Syntax[];
  readonly quasi?: Syntax;
  readonly quasis?: readonly { readonly value: { readonly raw: string; readonly cooked: string } }[];
}

/** Literals, and `new RegExp` with a letter for each part that is computed. The text may be a constant of the same file. */
function expressionsIn(path: string, text: string): Written[] {
  const written: Written[] = [];
  const constants = new Map<string, Syntax>();
  const visit = (node: Syntax): void => {
    if (typeof node !== "object" || node === null) return;
    if (node.type === "VariableDeclarator" && node.id?.name && node.init) {
      constants.set(node.id.name, node.init);
    }
    if (node.regex !== undefined) written.push(node.regex);
    if (node.type === "NewExpression" && node.callee?.name === "RegExp") {
      const texts = (node.arguments ?? []).map((each) => textOf(constants.get(each.name ?? "") ?? each));
      const [pattern = "", flags = ""] = texts;
      if (isExpression({ pattern, flags })) written.push({ pattern, flags });
    }
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseAst(text, { lang: path.endsWith("x") ? "tsx" : "ts" }) as Syntax);
  return written;
}

function textOf({ value, quasi, quasis }: Syntax): string | undefined {
  if (quasi !== undefined) return quasi.quasis?.map((part) => part.value.raw).join("x");
  if (quasis !== undefined) return quasis.map((part) => part.value.cooked).join("x");
  return typeof value === "string" ? value : undefined;
}

function isExpression({ pattern, flags }: Written): boolean {
  try {
    return new RegExp(pattern, flags) instanceof RegExp;
  } catch {
    return false;
  }
}

const usual = [..."[](){}<>/\\ \t\n.,:;-_=+*#\"'`|@!?&%0aAxé\u200b"];

/** How many characters of an expression are tried in pairs. */
const pairedMax = isFullLength ? 12 : 5;

/** Parts that may repeat: usual characters, and characters, words and pairs of the expression. */
function repeatedParts({ pattern }: Written): string[] {
  const classes = pattern.replaceAll("\\d", "0").replaceAll("\\w", "a");
  const plain = classes.replace(/\\[pP]\{[^}]*\}|\\u[0-9a-f]{4}|\\[a-zA-Z]|\{\d+,?\d*\}/g, " ");
  const own = [...new Set(plain.replace(/[\\^$()[\]?*+|{}]/g, ""))].slice(0, 24);
  const words = (plain.match(/[a-z0-9:/@.-]{2,}/gi) ?? []).slice(0, 12);
  const paired = own.slice(0, pairedMax);
  const pairs = paired.flatMap((first) => paired.map((second) => first + second));
  const brackets = ["[a", "[a]", "[](", "![", "a.", "a ", " \n", "//", "a:", "<a", "a=", '\\"'];
  return [...new Set([...usual, ...own, ...words, ...pairs, ...brackets])];
}

function beginnings({ pattern }: Written): string[] {
  const words = pattern.match(/[a-z0-9:/@"'<[-]{1,}/gi) ?? [];
  return [...new Set(["", ...words.slice(0, 4)])];
}

const context = createContext({ run: (): void => undefined });
const call = new Script("run()");
/** Only ends what would never end: growth is judged by ratios, and all other texts of the screens take a fraction of it. */
const timeoutMs = 1_500;

/** Whether the work ends. Each call starts a thread, which takes longer than most expressions: it is given many texts at once. */
function ends(work: () => void): boolean {
  context["run"] = work;
  try {
    call.runInContext(context, { timeout: timeoutMs });
    return true;
  } catch {
    return false;
  }
}

/** CPU time is counted in steps of some milliseconds. */
const stepMs = 5;

/** Milliseconds of one run; CPU time of a long one, because other programs take turns with this one. */
function timeOf(expression: RegExp, input: string): number {
  expression.lastIndex = 0;
  const [before, usedBefore] = [performance.now(), process.threadCpuUsage()];
  if (expression.global) input.replace(expression, "");
  else expression.test(input);
  const ms = performance.now() - before;
  if (ms < 4 * stepMs) return ms;
  const { user, system } = process.threadCpuUsage(usedBefore);
  return Math.max(stepMs, (user + system) / 1000);
}

/** The least of some runs. */
function leastTimeOf(expression: RegExp, input: string, runs: number): number {
  let least = Number.POSITIVE_INFINITY;
  const isEnded = ends(() => {
    for (let run = 0; run < runs; run++) least = Math.min(least, timeOf(expression, input));
  });
  return isEnded ? least : Number.POSITIVE_INFINITY;
}

/** Four times the text takes a linear expression four times as long, a quadratic one sixteen times. */
const growthMax = 9;
const [short, middle, long] = [2_000, 8_000, 32_000];
/**
 * The least time over a text after which growth is measured. A quadratic expression takes a hundred times as long over these texts as one
 * that looks at each character a few times. Exponential ones never end, so all texts are tried short first.
 */
const screens = [
  { length: 40, slowMs: 0 },
  { length: 500, slowMs: 0.005 },
  { length: short, slowMs: 0.05 },
];

/**
 * How many texts of an expression are measured. Over 2,000 characters a quadratic expression takes ten times as long as one that reads
 * 200 for each character, so its text is among the slowest.
 */
const measuredMax = 20;

/** Nearly every class has the first ending; a text that ends with what a class excludes makes `[^./]*$` fail at each character. */
function endings({ pattern }: Written): string[] {
  return pattern.endsWith("$") ? ["\0", ...(/\[\^\\?([^\]])/.exec(pattern)?.slice(1) ?? [])] : ["\0"];
}

/** A part that repeats between a beginning and an ending. */
type Hostile = readonly [beginning: string, part: string, ending: string];

function textOfLength([beginning, part, ending]: Hostile, length: number): string {
  return `${beginning}${part.repeat(Math.ceil(length / part.length))}${ending}`;
}

function growsTooFast(expression: RegExp, text: Hostile): boolean {
  const timeAt = (length: number, runs: number) => leastTimeOf(expression, textOfLength(text, length), runs);
  const shortest = timeAt(short, 4);
  // Other programs make a run longer, never shorter, and a short run more than a long one, whose CPU time is counted.
  if (timeAt(middle, 1) < (shortest * growthMax) / 3) return false;
  const shorter = cpuTimeOf(expression, textOfLength(text, short), shortest);
  const longer = timeAt(middle, 5);
  return longer >= shorter * growthMax && timeAt(long, 1) > longer * growthMax;
}

/** Milliseconds of CPU of one run, of as many runs as the counter needs. */
function cpuTimeOf(expression: RegExp, input: string, about: number): number {
  const runs = Math.max(1, Math.ceil((8 * stepMs) / about));
  const before = process.threadCpuUsage();
  for (let run = 0; run < runs; run++) timeOf(expression, input);
  const { user, system } = process.threadCpuUsage(before);
  return Math.max(Number.EPSILON, (user + system) / 1000 / runs);
}

/** The texts of a length over which the expression takes this long, slowest first, and one over which it never ends. */
function slowTexts(expression: RegExp, texts: readonly Hostile[], length: number, slowMs: number) {
  const slow: { readonly text: Hostile; readonly ms: number }[] = [];
  let next = 0;
  const measureRest = (): void => {
    while (next < texts.length) {
      const text = texts[next]!;
      const ms = timeOf(expression, textOfLength(text, length));
      if (ms >= slowMs) slow.push({ text, ms });
      next++;
    }
  };
  while (!ends(measureRest)) {
    // Either the text at hand never ends, or all texts so far took that long together. Time may also run out after the last.
    const [text] = texts.slice(next);
    if (text === undefined) break;
    const ms = leastTimeOf(expression, textOfLength(text, length), 1);
    if (ms === Number.POSITIVE_INFINITY) return { found: [], endless: text };
    if (ms >= slowMs) slow.push({ text, ms });
    next++;
  }
  return { found: slow.toSorted((a, b) => b.ms - a.ms).map(({ text }) => text) };
}

/** The hostile text over which the time of the expression grows faster than the text; undefined for a linear one. */
function weakness(written: Written): string | undefined {
  // Without a repetition it looks at a fixed number of characters from each place.
  if (!/[*+{]/.test(written.pattern)) return undefined;
  const expression = new RegExp(written.pattern, written.flags);
  let texts = repeatedParts(written).flatMap((part) =>
    beginnings(written).flatMap((beginning) =>
      endings(written).map((ending): Hostile => [beginning, part, ending]),
    ),
  );
  for (const { length, slowMs } of screens) {
    const { found, endless } = slowTexts(expression, texts, length, slowMs);
    if (endless !== undefined) return endless.join("");
    texts = found;
  }
  return texts
    .slice(0, measuredMax)
    .find((text) => growsTooFast(expression, text))
    ?.join("");
}

test("every regular expression of the sources takes time in proportion to its text", () => {
  const found = [...expressions().values()];
  expect(found.length).toBeGreaterThan(300);
  for (const known of [
    /\[[^\]]*\]\(/g,
    /\[.*\]/su,
    /(?:^|\.)\w*hash\w*$/,
    /^(a+)+$/,
    /\d+%/g,
    /[^./]*$/,
    /(?:\.\d+)+$/,
  ]) {
    const { source: pattern, flags } = known;
    // Where other programs take the cores, the shortest run seems long, and the growth small.
    const isFound = Array.from({ length: 8 }).some(() => weakness({ pattern, flags }) !== undefined);
    expect(isFound, `${known} is not linear`).toBe(true);
  }
  const weak = found.flatMap(({ path, ...written }) => {
    const text = weakness(written);
    return text === undefined
      ? []
      : [`${path}: /${written.pattern}/${written.flags} over ${JSON.stringify(text)}`];
  });
  expect(weak, "give repetitions a bound, or let them exclude what may follow them").toEqual([]);
});
