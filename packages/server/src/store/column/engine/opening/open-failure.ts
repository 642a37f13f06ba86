import { damageCodes } from "#store/column/client/damage.ts";
import { diskIsFull, notOurs } from "#store/data-folder.ts";

/** A failed attempt to open the store. */
export interface FailedAttempt {
  /** Whether the engine's library was loaded and opening the folder had begun. */
  readonly hasTried: boolean;
  /** The exception that the engine process reported itself. Undefined if it ended without a report. */
  readonly report: string | undefined;
  /** Last lines of the process. */
  readonly output: string;
  /** Exit code or signal; undefined if the time limit ended it. */
  readonly end: string | undefined;
}

/** `damaged` is the only cause for which a store is moved aside. */
export type OpenFailureCause = "locked" | "disk-full" | "forbidden" | "damaged" | "other";

export class OpenFailure extends Error {
  override readonly name = "OpenFailure";
  readonly reason: OpenFailureCause;
  readonly isTimeout: boolean;
  /** Ends a sentence that begins with "The column store did not open:". */
  readonly explanation: string;

  constructor(attempt: FailedAttempt) {
    super(`The engine did not open the store (${attempt.end ?? "time limit"}): ${textOf(attempt)}`);
    this.reason = causeOf(attempt);
    this.isTimeout = attempt.end === undefined;
    this.explanation = explain(attempt);
  }
}

function textOf({ report = "", output }: FailedAttempt): string {
  return [report, output].filter((text) => text !== "").join("\n");
}

/** Causes outside the store's files. They are checked first: a part that cannot be opened for lack of file handles looks damaged too. */
const environmentFaults =
  /errno|No space left|Permission denied|Read-only file system|Too many open files|Cannot allocate|memory limit|Input\/output error/i;

/**
 * In addition to `damageCodes`, SYNTAX_ERROR counts as damage if a definition has no readable beginning. Unknown engines, settings and
 * versions do not count (another build wrote the store), nor do too many damaged parts (the others can be read).
 */
const syntaxError = 62;
const hasNoDefinition = /Empty query: Cannot parse definition|failed at position 1 /;
const otherVersion = /Bad version file/;
/** ASYNC_LOAD_FAILED and ASYNC_LOAD_WAIT_FAILED wrap the error of a table. */
const wrapperCodes: ReadonlySet<number> = new Set([695, 722]);

function causeOf(attempt: FailedAttempt): OpenFailureCause {
  const text = textOf(attempt);
  if (attempt.report === undefined) return "other";
  if (/Cannot lock file/.test(text)) return "locked";
  if (/Code: 243\b|No space left/.test(text)) return "disk-full";
  if (/Permission denied|Read-only file system/.test(text)) return "forbidden";
  return isDamaged(text) ? "damaged" : "other";
}

function isDamaged(text: string): boolean {
  if (environmentFaults.test(text) || otherVersion.test(text)) return false;
  const codes = [...text.matchAll(/\bCode: (\d+)/g)]
    .map(([, code]) => Number(code))
    .filter((code) => !wrapperCodes.has(code));
  return (
    codes.length > 0 &&
    codes.every((code) => damageCodes.has(code) || (code === syntaxError && hasNoDefinition.test(text)))
  );
}

const explanationLengthMax = 300;

function explain(attempt: FailedAttempt): string {
  if (attempt.end === undefined) {
    return "it did not finish within the time limit (set STORE_OPEN_SECONDS to a larger one if the disk is slow)";
  }
  if (attempt.report !== undefined) return `the engine reports: ${lastException(textOf(attempt))}`;
  if (/^SIG/.test(attempt.end)) {
    return `its process was ended by ${attempt.end} (if this was not deliberate, check for out-of-memory kills)`;
  }
  const when = attempt.hasTried ? "while opening" : "before it could open anything";
  return `its process ended ${when} (exit code ${attempt.end}): ${errorLine(attempt.output)}`;
}

/** The innermost exception, without the table definition that ClickHouse appends. */
function lastException(text: string): string {
  const last = text.split(/DB::\w*Exception: /).at(-1) ?? text;
  return shortened(last.split(/: Cannot (?:attach table|parse definition)/, 1)[0] ?? last);
}

/** Node prints the source line first and the error after it. */
function errorLine(output: string): string {
  const lines = output.split("\n").map((line) => line.trim());
  return shortened(
    lines.find((line) => /^\S*Error\b.*: /.test(line)) ?? lines.find((line) => line !== "") ?? "",
  );
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, " ").trim().replace(/\.$/, "");
  return line.length > explanationLengthMax ? `${line.slice(0, explanationLengthMax)}...` : line;
}

/** The message for an operator when the start is given up. */
export function refusalOf(failure: OpenFailure, path: string, dataDir: string): string {
  if (failure.reason === "locked") {
    return `The data folder ${dataDir} is in use by another Flamekeep. Stop it, or set DATA_DIR.`;
  }
  if (failure.reason === "disk-full") return diskIsFull(path);
  if (failure.reason === "forbidden") return notOurs(path, "permission denied or read-only");
  return `The column store in ${path} did not open: ${failure.explanation}. Nothing in it was changed or moved. Correct the cause and start again.`;
}
