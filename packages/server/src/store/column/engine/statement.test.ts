import { beforeAll, describe, expect, it } from "vitest";
import { bindParams } from "./bind.ts";
import { allowsRead, allowsWrite, readInsertTarget, refuseTableFunctions } from "./statement.ts";

beforeAll(() => refuseTableFunctions(["file", "url", "s3", "remote", "numbers"]));

describe("a read", () => {
  it.each([
    "SELECT 1",
    "  select * from profiles where service = 'a;b into outfile' -- into outfile\n",
    "WITH x AS (SELECT 1) SELECT * FROM x;",
    "SELECT `into` FROM numbers(3) /* ; */ WHERE a != 'it''s' AND b = 'x\\'y'",
    "SELECT file, url FROM frames WHERE file = {file:String}",
    "CHECK TABLE profiles",
    "CHECK TABLE profiles\nFORMAT JSONEachRow",
  ])("may be %j", (sql) => {
    expect(allowsRead(sql)).toEqual({ ok: true });
  });

  it.each([
    ["", "empty"],
    ["SELECT 1; DROP TABLE profiles", "one statement"],
    ["SELECT 1;;SELECT 2", "one statement"],
    ["SELECT 1 INTO OUTFILE '/etc/x'", "INTO"],
    ["SELECT 1 INTO/**/OUTFILE '/etc/x'", "INTO"],
    ["select * from file('/etc/passwd')", "file()"],
    ["select FILE /* */ ('/etc/passwd')", "FILE()"],
    ["select * from `url`('http://x')", "plain function names"],
    ["select \"file\"('/etc/passwd')", "plain function names"],
    ["select {f:Identifier}('/etc/passwd')", "plain function names"],
    ["select * from s3('http://x')", "s3()"],
    ["DESCRIBE file('/etc/passwd')", "only SELECT"],
    ["CHECK ALL TABLES", "only SELECT"],
    ["CHECK TABLE t PARTITION 1 FORMAT JSON", "only SELECT"],
    ["BACKUP TABLE t TO File('x')", "only SELECT"],
    ["USE system", "only SELECT"],
    ["SET max_execution_time = 0", "only SELECT"],
    ["(SELECT 1)", "only SELECT"],
    ["SELECT $$text$$", "unexpected character"],
    ["SELECT 'unfinished", "unexpected character"],
    ["SELECT 1 # comment", "unexpected character"],
    ["SELECT 1 \\G", "unexpected character"],
    ["/* SELECT */ DROP TABLE x", "only SELECT"],
    ["SELECT 1 /* /* */ */", "unexpected character"],
    ["SELECT 1 /* open", "unexpected character"],
  ])("may not be %j", (sql, reason) => {
    const verdict = allowsRead(sql);
    expect(verdict.ok).toBe(false);
    if (!verdict.ok) expect(verdict.reason).toContain(reason);
  });
});

describe("a write", () => {
  it("may define tables", () => {
    expect(allowsWrite("CREATE TABLE t (function String) ENGINE = MergeTree ORDER BY function").ok).toBe(
      true,
    );
  });

  it.each([
    "INSERT INTO FUNCTION file('x') SELECT 1",
    "SELECT 1 INTO OUTFILE 'x'",
    "DROP TABLE a; DROP TABLE b",
  ])("may not be %j", (sql) => {
    expect(allowsWrite(sql).ok).toBe(false);
  });

  it("names the table, the columns and the format of rows in the body", () => {
    expect(readInsertTarget("INSERT INTO frames (org_id, function) FORMAT JSONCompactEachRow")).toEqual({
      table: "frames",
      columns: ["org_id", "function"],
      format: "JSONCompactEachRow",
    });
    expect(readInsertTarget("INSERT INTO frames SELECT 1")).toBeUndefined();
    expect(readInsertTarget("INSERT INTO frames (a) SETTINGS x=1 FORMAT TSV")).toBeUndefined();
  });
});

describe("binding", () => {
  const bind = (sql: string, params: Record<string, string>) =>
    bindParams(sql, new Map(Object.entries(params)));

  it("leaves placeholders in texts and comments alone", () => {
    const sql = "SELECT '{a:String}', `{a:String}` -- {a:String}";
    expect(bind(sql, { a: "x" })).toEqual({ ok: true, sql });
  });

  it("cannot be left by a value", () => {
    expect(bind("SELECT {a:String}, {b:UInt8}", { a: "'); DROP TABLE x; --\\\\", b: "1 OR 1" })).toEqual({
      ok: true,
      sql: "SELECT _CAST('\\'); DROP TABLE x; --\\\\', 'String'), _CAST('1 OR 1', 'UInt8')",
    });
  });

  it("does not look for placeholders in values", () => {
    expect(bind("SELECT {a:String}, {b:String}", { a: "{b:String}", b: "{a:String}" })).toEqual({
      ok: true,
      sql: "SELECT _CAST('{b:String}', 'String'), _CAST('{a:String}', 'String')",
    });
  });

  it("refuses a statement whose value is missing, an identifier, or a map", () => {
    expect(bind("SELECT {a:String}", {})).toEqual({ ok: false, reason: "Substitution `a` is not set" });
    expect(bind("SELECT {a:Identifier}", { a: "x" }).ok).toBe(false);
    expect(bind("SELECT {a:Map(String, String)}", { a: "{}" }).ok).toBe(false);
  });
});
