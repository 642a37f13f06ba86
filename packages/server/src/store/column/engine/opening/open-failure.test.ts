import { describe, expect, it } from "vitest";
import { type FailedAttempt, OpenFailure, refusalOf } from "./open-failure.ts";

const connection = "Failed to create connection for path '/data/columns'";

/** As chDB 26 writes it when a table cannot be loaded. */
function tableError(code: number, text: string): string {
  return `Code: 722. DB::Exception: Waited job failed: Code: 695. DB::Exception: Load job 'load table default.profiles' failed: Code: ${code}. DB::Exception: ${text}: Cannot attach table \`default\`.\`profiles\` from metadata file /data/columns/store/204/profiles.sql from query ATTACH TABLE default.profiles (...)`;
}

function reported(output: string): FailedAttempt {
  return { hasTried: true, report: connection, output, end: "SIGKILL" };
}

const damaged: readonly [string, string][] = [
  ["an empty file of a table", tableError(32, "Attempt to read after eof")],
  ["a truncated file of a table", tableError(33, "Cannot read all data. Bytes read: 2. Bytes expected: 8")],
  ["a wrong checksum", tableError(40, "Checksum doesn't match: corrupted data")],
  ["corrupted data", tableError(246, "Unknown codec family code: 99")],
  ["bytes that cannot be decompressed", tableError(271, "Cannot decompress")],
  [
    "an empty definition",
    "Code: 62. DB::Exception: Empty query: Cannot parse definition from metadata file /data/columns/store/204/profiles.sql. (SYNTAX_ERROR)",
  ],
  [
    "a definition of other bytes",
    "Code: 62. DB::Exception: Syntax error (in file /data/columns/store/204/profiles.sql): failed at position 1 (garbage): garbage. Expected one of: ATTACH: Cannot parse definition from metadata file",
  ],
];

const undamaged: readonly [string, FailedAttempt][] = [
  ["a signal before opening", { hasTried: false, report: undefined, output: "", end: "SIGKILL" }],
  ["a signal while opening", { hasTried: true, report: undefined, output: "", end: "SIGKILL" }],
  [
    "a crash that printed an error code",
    { hasTried: true, report: undefined, output: tableError(246, "Corrupted"), end: "SIGSEGV" },
  ],
  ["a time limit", { hasTried: true, report: undefined, output: "", end: undefined }],
  [
    "a missing library",
    {
      hasTried: false,
      report: undefined,
      output: "loader.js:49\n  throw new Error()\n\nError: Cannot find module '@chdb/lib-linux-x64-gnu'",
      end: "1",
    },
  ],
  ["a report without a cause", reported("")],
  ["a lock", reported("Code: 76. DB::Exception: Cannot lock file /data/columns/status.")],
  ["a full disk", reported(tableError(243, "Cannot reserve 1.00 MiB, not enough space"))],
  [
    "a full disk in a write",
    reported(tableError(75, "Cannot write: errno: 28, strerror: No space left on device")),
  ],
  ["no permission", reported(tableError(76, "Cannot open file: errno: 13, strerror: Permission denied"))],
  ["no memory", reported(tableError(241, "(total) memory limit exceeded: would use 1.00 GiB"))],
  ["too many open files", reported(tableError(76, "errno: 24, strerror: Too many open files"))],
  [
    "a file that is short because the disk fails",
    reported(tableError(33, "Cannot read all data: errno: 5, strerror: Input/output error")),
  ],
  ["an unknown table engine", reported(tableError(56, "Unknown table engine FancyMergeTree"))],
  ["an unknown setting", reported(tableError(115, "Unknown setting 'from_the_future'"))],
  ["a version of the future", reported(tableError(246, "Bad version file: format_version.txt"))],
  ["many damaged parts", reported(tableError(231, "Suspiciously many (101 parts) broken parts"))],
  [
    "syntax of the future",
    reported("Code: 62. DB::Exception: Syntax error: failed at position 60 (FANCY): Cannot parse definition"),
  ],
  [
    "damage next to something else",
    reported(`${tableError(40, "Checksum doesn't match")}\n${tableError(241, "too much")}`),
  ],
];

describe("the cause of a failed start", () => {
  it.each(damaged)("is a damaged store for %s", (_, output) => {
    expect(new OpenFailure(reported(output)).reason).toBe("damaged");
  });

  it.each(undamaged)("is no damaged store for %s", (_, attempt) => {
    expect(new OpenFailure(attempt).reason).not.toBe("damaged");
  });

  it.each(undamaged)("is named in one sentence: %s", (_, attempt) => {
    const sentence = refusalOf(new OpenFailure(attempt), "/data/columns", "/data");
    expect(sentence).toMatch(/\/data/);
    expect(sentence).not.toContain("\n");
    expect(sentence.length).toBeLessThan(600);
  });

  it("names the innermost exception", () => {
    const failure = new OpenFailure(reported(tableError(115, "Unknown setting 'from_the_future'")));
    expect(refusalOf(failure, "/data/columns", "/data")).toBe(
      "The column store in /data/columns did not open: the engine reports: Unknown setting 'from_the_future'. Nothing in it was changed or moved. Correct the cause and start again.",
    );
  });

  it("says that opening took too long, and which folder is not the user's", () => {
    const late = new OpenFailure({ hasTried: true, report: undefined, output: "", end: undefined });
    expect([late.isTimeout, new OpenFailure(reported("")).isTimeout]).toEqual([true, false]);
    expect(late.explanation).toContain("it did not finish within the time limit (set STORE_OPEN_SECONDS");
    const [, forbidden] = undamaged.find(([name]) => name === "no permission")!;
    expect(refusalOf(new OpenFailure(forbidden), "/data/columns", "/data")).toBe(
      "/data/columns cannot be used (permission denied or read-only). Give it to this user, or set DATA_DIR to another folder.",
    );
  });

  it("names the module that is missing", () => {
    const [, attempt] = undamaged.find(([name]) => name === "a missing library")!;
    expect(new OpenFailure(attempt).explanation).toBe(
      "its process ended before it could open anything (exit code 1): Error: Cannot find module '@chdb/lib-linux-x64-gnu'",
    );
  });
});
