// Text from outside must not stop the server: every expression of the sources runs over growing hostile input.
import { globSync, readFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { createContext, Script } from "node:vm";
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
  readonly arguments?: readonly Syntax[];
  readonly quasi?: Syntax;
  readonly quasis?: readonly { readonly value: { readonly raw: string; readonly cooked: string } }[];
}

/** Literals, and `new RegExp` with a letter for each part that is computed. */
function expressionsIn(path: string, text: string): Written[] {
  const written: Written[] = [];
  const visit = (node: Syntax): void => {
    if (typeof node !== "object" || node === null) return;
    if (node.regex !== undefined) written.push(node.regex);
    if (node.type === "NewExpression" && node.callee?.name === "RegExp") {
      const [pattern = "", flags = ""] = (node.arguments ?? []).map(textOf);
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

/** Parts that may repeat: usual characters, and characters, words and pairs of the expression. */
function repeatedParts({ pattern }: Written): string[] {
  const plain = pattern.replace(/\\[pP]\{[^}]*\}|\\u[0-9a-f]{4}|\\[a-zA-Z]|\{\d+,?\d*\}/g, " ");
  const own = [...new Set(plain.replace(/[\\^$()[\]?*+|{}]/g, ""))].slice(0, 24);
  const words = (plain.match(/[a-z0-9:/@.-]{2,}/gi) ?? []).slice(0, 12);
  const pairs = own.slice(0, 12).flatMap((first) => own.slice(0, 12).map((second) => first + second));
  const brackets = ["[a", "[a]", "[](", "![", "a.", "a ", " \n", "//", "a:", "<a", "a=", '\\"'];
  return [...new Set([...usual, ...own, ...words, ...pairs, ...brackets])];
}

function beginnings({ pattern }: Written): string[] {
  const words = pattern.match(/[a-z0-9:/@"'<[-]{1,}/gi) ?? [];
  return [...new Set(["", ...words.slice(0, 4)])];
}

const context = createContext({ run: (): void => undefined });
const call = new Script("run()");
/** Only ends what would never end: growth is judged by ratios. */
const timeoutMs = 10_000;

function ends(): boolean {
  try {
    call.runInContext(context, { timeout: timeoutMs });
    return true;
  } catch {
    return false;
  }
}

/** The least CPU time of some runs, in microseconds: other programs take turns with this one. */
function timeOf(expression: RegExp, input: string, runs: number): number {
  let least = Number.POSITIVE_INFINITY;
  context["run"] = () => {
    expression.lastIndex = 0;
    if (expression.global) input.replace(expression, "");
    else expression.test(input);
  };
  for (let run = 0; run < runs; run++) {
    const before = process.threadCpuUsage();
    if (!ends()) return Number.POSITIVE_INFINITY;
    const { user, system } = process.threadCpuUsage(before);
    least = Math.min(least, user + system);
  }
  return least;
}

/** Four times the text takes a linear expression four times as long, a quadratic one sixteen times. */
const growthMax = 9;
const lengths = [4_000, 16_000, 64_000] as const;

function growsTooFast(expression: RegExp, input: (length: number) => string, plain: number): boolean {
  const [short, middle, long] = lengths;
  // Exponential ones would not end over longer text.
  if (timeOf(expression, input(40), 1) === Number.POSITIVE_INFINITY) return true;
  // A quadratic expression takes hundreds of times as long as one that looks at each character once.
  if (timeOf(expression, input(short), 1) < plain * 20) return false;
  const [shortest, ...longer] = [short, middle].map((length) => timeOf(expression, input(length), 3));
  if (longer[0]! < shortest! * growthMax) return false;
  return timeOf(expression, input(long), 1) > longer[0]! * growthMax;
}

/** The hostile text over which the time of the expression grows faster than the text; undefined for a linear one. */
function weakness(written: Written, plain: number): string | undefined {
  const expression = new RegExp(written.pattern, written.flags);
  for (const part of repeatedParts(written)) {
    for (const beginning of beginnings(written)) {
      const input = (length: number) => `${beginning}${part.repeat(Math.ceil(length / part.length))}\0`;
      if (growsTooFast(expression, input, plain)) return beginning + part;
    }
  }
  return undefined;
}

test("every regular expression of the sources takes time in proportion to its text", () => {
  const found = [...expressions().values()];
  expect(found.length).toBeGreaterThan(300);
  const plain = Math.max(5, timeOf(/[^a]b/, "a".repeat(lengths[0]), 50));
  for (const known of [/\[[^\]]*\]\(/g, /\[.*\]/su, /(?:^|\.)\w*hash\w*$/, /^(a+)+$/, /\d+%/g]) {
    const { source: pattern, flags } = known;
    expect(weakness({ pattern, flags }, plain), `${known} is not linear`).toBeDefined();
  }
  const weak = found.flatMap(({ path, ...written }) => {
    const text = weakness(written, plain);
    return text === undefined
      ? []
      : [`${path}: /${written.pattern}/${written.flags} over ${JSON.stringify(text)}`];
  });
  expect(weak, "give repetitions a bound, or let them exclude what may follow them").toEqual([]);
});
