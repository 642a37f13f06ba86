import type { Advice } from "#analysis/advice/recommendations.ts";
import type { Language } from "#rules/language.ts";
import type { HotLine } from "#rules/run/digest.ts";
import { isHotSpot } from "#rules/run/hot-spots.ts";

/**
 * Work that a profile does not show as frames. V8 and CPython count the time of functions in C and C++ for the code that calls them, so
 * the stacks end in the caller. Its source says what it calls: the first row of the table that its lines match is named.
 */
interface HiddenWork {
  readonly pattern: RegExp;
  /** After `mostly likely in`. */
  readonly work: string;
  readonly remedy: string;
}

const nodeWork: readonly HiddenWork[] = [
  {
    pattern: /JSON\.parse\(\s*JSON\.stringify\(|structuredClone\(/,
    work: "a deep copy",
    remedy: "copy only what changes",
  },
  {
    pattern: /\b(?:pbkdf2|scrypt|hash|compare|generateKeyPair)Sync\(/,
    work: "the derivation of a key",
    remedy: "use the asynchronous function, and check a session instead",
  },
  { pattern: /new RegExp\(/, work: "building regular expressions", remedy: "build them once" },
  {
    pattern: /\bIntl\.|\.toLocale\w*String\(/,
    work: "formatting by locale (Intl)",
    remedy: "make one formatter and keep it",
  },
  { pattern: /new Proxy\(/, work: "proxies", remedy: "read values from the plain object" },
  {
    pattern: /new \w*Error\(|extends \w*Error|captureStackTrace|\.stack\b/,
    work: "errors with their stack traces",
    remedy: "return a result for what is expected",
  },
  {
    pattern: /\.(?:prepare|query)\(|\b(?:db|pool|client|connection|conn|knex|sql|tx)(?:\.\w+)*\(/,
    work: "database queries",
    remedy: "ask once for all rows",
  },
  { pattern: /JSON\.stringify\(/, work: "JSON.stringify", remedy: "keep encoded answers that do not change" },
  { pattern: /JSON\.parse\(/, work: "JSON.parse", remedy: "parse a text once and keep the result" },
  {
    pattern: /\.(?:sort|toSorted)\(/,
    work: "sorting",
    remedy: "sort once, or look for the largest in one pass",
  },
  {
    pattern: /\bcreateH(?:ash|mac)\(/,
    work: "hashing",
    remedy: "keep the hash with what it is of",
  },
  {
    pattern: /\.(?:shift|unshift|splice)\(/,
    work: "moving all elements of an array (shift, splice)",
    remedy: "keep an index, or use a queue",
  },
  {
    pattern: /\[\s*\.\.\.\w+|\{\s*\.\.\.\w+|\.concat\(|Object\.assign\(\{/,
    work: "copying arrays or objects (spread)",
    remedy: "add to one array or object",
  },
  {
    pattern: /\.(?:includes|indexOf|lastIndexOf|find|findIndex|findLast|some)\(/,
    work: "searching arrays from their start",
    remedy: "look up in a Set or Map",
  },
  {
    pattern: /\.(?:test|exec|match|matchAll|replace|replaceAll|search)\(/,
    work: "matching regular expressions",
    remedy: "check for repetitions within repetitions, and limit the text",
  },
  {
    pattern: /\.(?:slice|subarray|substring|substr)\(|Array\.from\(|Buffer\.concat\(/,
    work: "copying parts of arrays or texts (slice)",
    remedy: "keep an index instead of a copy of the rest",
  },
  {
    pattern: /\.emit\(|\.(?:on|addListener|addEventListener)\(/,
    work: "calls of listeners, as many as were added",
    remedy: "check that they are removed",
  },
  {
    pattern: /Object\.(?:entries|keys|values|fromEntries)\(|\.(?:map|filter|flatMap|reduce)\(/,
    work: "arrays that are made in between",
    remedy: "use one loop",
  },
];

const pythonWork: readonly HiddenWork[] = [
  { pattern: /\bdeepcopy\(|\basdict\(/, work: "a deep copy", remedy: "copy only what changes" },
  {
    pattern: /\b(?:pbkdf2_hmac|scrypt|bcrypt|argon2)\b/,
    work: "the derivation of a key from a password",
    remedy: "check a session instead, and derive outside of the request",
  },
  { pattern: /\bre\.compile\(/, work: "compiling regular expressions", remedy: "compile them once" },
  {
    pattern: /\bre\.\w+\(|\.(?:match|fullmatch|search|findall|finditer|sub)\(/,
    work: "matching regular expressions",
    remedy: "check for repetitions within repetitions, join patterns, and limit the text",
  },
  {
    pattern: /\.(?:execute|executemany|executescript|fetchone|fetchall|fetchmany)\(/,
    work: "database queries",
    remedy: "ask once for all rows",
  },
  { pattern: /\bsorted\(|\.sort\(/, work: "sorting", remedy: "sort once, or use min, max or heapq" },
  {
    pattern: /\b(?:gzip|zlib|bz2|lzma|zstandard|brotli)\b|\bcompress\(/,
    work: "compression",
    remedy: "compress once, at a lower level, or in a thread",
  },
  { pattern: /\bpickle\./, work: "pickle", remedy: "keep what was written" },
  { pattern: /\bjson\.(?:dumps?)\(/, work: "JSON", remedy: "keep encoded answers that do not change" },
  { pattern: /\bjson\.(?:loads?)\(/, work: "parsing JSON", remedy: "parse a text once and keep the result" },
  {
    pattern: /\bhashlib\.|\b(?:md5|sha1|sha256|sha512|blake2b)\(|\.(?:hexdigest|digest)\(/,
    work: "hashing",
    remedy: "keep the hash with what it is of",
  },
  {
    pattern: /\bload_(?:pem|der)_\w+\(|\.(?:sign|verify)\(/,
    work: "keys and signatures",
    remedy: "load keys once",
  },
  {
    pattern: /\bnp\.(?:array|asarray|vstack|append|concatenate)\(|\bDataFrame\(/,
    work: "converting to arrays (numpy)",
    remedy: "convert once and keep the array",
  },
  {
    pattern: /\bsubprocess\.|\bPopen\(|\bos\.system\(/,
    work: "starting processes",
    remedy: "keep one process, or use a library",
  },
  {
    pattern: /\.pop\(0\)|\.insert\(/,
    work: "moving all elements of a list (pop, insert)",
    remedy: "use collections.deque",
  },
  {
    pattern: /\braise\b|\bexcept\b|__init__\(/,
    work: "exceptions",
    remedy: "return a result for what is expected",
  },
  {
    pattern: /\+=\s*(?:[bfru]{0,2}["']|str\(|\w+\.encode|\w+\.join|bytes\()/,
    work: "appending to a text or to bytes, which copies it",
    remedy: "collect the parts and join them once",
  },
  {
    pattern: /^(?!.*\bfor\b).*\bin\s+\w|\bif\b[^:]*\bin\s+\w/,
    work: "searching a list from its start",
    remedy: "look up in a set or dict",
  },
  {
    pattern: /\bnext\(|\.(?:index|count|remove)\(/,
    work: "searching a list from its start",
    remedy: "look up in a set or dict",
  },
  {
    pattern: /\w\[\s*\w+\s*,\s*\w/,
    work: "reading an array of numpy element by element",
    remedy: "use operations on whole arrays",
  },
  {
    pattern: /\bgetattr\(|__dict__|__getattr__/,
    work: "attributes that are looked up by name",
    remedy: "read them once before the loop",
  },
  {
    pattern: /\bfor\b.*\bin\b|\bwhile\b/,
    work: "a loop in Python",
    remedy: "do less in it, or move it to a library",
  },
];

const tables: Partial<Record<Language, readonly HiddenWork[]>> = { node: nodeWork, python: pythonWork };

/** Most of a function's own code that is looked at. */
const bodyLinesMax = 60;
const lineLengthMax = 400;
/** Lines of Python next to the hot one that may belong to its statement. */
const statementLines = 1;
/** Part of a function's value from which on it is its own. */
const ownPartMin = 0.6;

type ReadSource = (place: Omit<HotLine, "share">) => Promise<readonly string[] | undefined>;

/** Advice about hot functions whose time is their own, with what their source says about it. */
export function withHiddenWork(
  advice: readonly Advice[],
  language: Language,
  read: ReadSource,
): Promise<Advice[]> {
  const table = tables[language];
  if (table === undefined) return Promise.resolve([...advice]);
  return Promise.all(
    advice.map(async (each) => {
      const [own] = each.functions;
      const isOwn = own !== undefined && own.selfShare >= (each.share ?? 1) * ownPartMin;
      if (!isOwn || !isHotSpot(each.rule)) return each;
      const lines = await read(own);
      const found = lines && hiddenWorkAt(table, nearestLines(language, lines, own.line));
      return found === undefined ? each : explained(each, found);
    }),
  );
}

interface Line {
  readonly number: number;
  readonly text: string;
}

interface FoundWork extends HiddenWork {
  readonly line: number;
}

function hiddenWorkAt(table: readonly HiddenWork[], groups: readonly Line[][]): FoundWork | undefined {
  for (const lines of groups) {
    for (const row of table) {
      const line = lines.find(({ text }) => row.pattern.test(text));
      if (line !== undefined) return { ...row, line: line.number };
    }
  }
  return undefined;
}

/** Lines that may be the work, the likeliest first: Python's profilers record the line, those of Node where the function starts. */
function nearestLines(language: Language, all: readonly string[], at: number): Line[][] {
  const lines = all.map((line) => line.slice(0, lineLengthMax));
  const statements = statementsOf(lines);
  const numbered = (from: number, to: number) =>
    lines.slice(Math.max(0, from - 1), to).map((line, i) => {
      const text = withoutComment(line).replace(calls, (call, name) =>
        statements.has(name) ? ".query(" : call,
      );
      return { number: Math.max(1, from) + i, text };
    });
  if (language === "python") return [numbered(at, at), numbered(at - statementLines, at + statementLines)];
  // The line of the class says most about a constructor.
  const from = /\bconstructor\(/.test(lines[at - 1] ?? "") ? at - 1 : at;
  return [numbered(from, at + bodyLength(lines, at) - 1)];
}

const calls = /\b(\w+)\.(?:get|all|run|each|iterate)\(/g;

/** Names of statements that the file prepares: calls of their methods are queries. */
function statementsOf(lines: readonly string[]): ReadonlySet<string> {
  return new Set(
    lines.flatMap((line) => /\b(\w+)\s*=\s*(?:await\s+)?[\w.]+\.prepare\(/.exec(line)?.[1] ?? []),
  );
}

function withoutComment(text: string): string {
  return text.replace(/(?:^|\s)(?:\/\/|#).*/, "");
}

/** Lines until the braces and brackets of the function are closed. */
function bodyLength(lines: readonly string[], at: number): number {
  let depth = 0;
  let isOpen = false;
  for (let length = 1; length <= bodyLinesMax; length++) {
    const text = lines[at + length - 2];
    if (text === undefined) return length;
    for (const character of text.replace(/(["'`])(?:\\.|(?!\1)[^\\]){0,500}\1/g, "")) {
      if ("{([".includes(character)) depth++;
      else if ("})]".includes(character)) depth--;
      isOpen ||= character === "{" || character === ">";
    }
    if (isOpen && depth <= 0) return length;
  }
  return bodyLinesMax;
}

function explained(advice: Advice, { work, remedy, line }: FoundWork): Advice {
  const title = advice.issue.slice(0, advice.issue.lastIndexOf(": "));
  return {
    ...advice,
    issue: `${title}, most likely in ${work} (line ${line}): ${remedy}`,
    impact: `${advice.impact} The profile has no frames for it; the source of the function does, on line ${line}.`,
  };
}
