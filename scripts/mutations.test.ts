import { describe, expect, it } from "vitest";
import { nearestTests } from "./imports.ts";
import { mutationsOf } from "./mutations.ts";

function mutants(text: string, path = "a.ts"): string[] {
  return mutationsOf(path, text).map(
    ({ start, end, replacement }) => text.slice(0, start) + replacement + text.slice(end),
  );
}

describe("mutations", () => {
  it("change comparisons, logic and arithmetic", () => {
    expect(mutants("a < b;")).toEqual([";", "a <= b;"]);
    expect(mutants("const c = a && b;")).toEqual(["const c = a || b;"]);
    expect(mutants("const c = (a) /* < */ - b;")).toHaveLength(1);
  });

  it("decide conditions, negate and drop negations", () => {
    expect(mutants("if (a) { }")).toEqual(["if (true) { }", "if (false) { }"]);
    expect(mutants("const c = a ? b : d;")).toEqual(["const c = !(a) ? b : d;"]);
    expect(mutants("const c = !a;")).toEqual(["const c = a;"]);
  });

  it("drop statements, but no log lines and directives", () => {
    expect(mutants("await save(row);")).toEqual([";"]);
    expect(mutants("ctx.log.warn('full');")).toEqual([]);
    expect(mutants('"use strict";')).toEqual([]);
  });

  it("drop a link of a chain that chooses rows or elements", () => {
    expect(mutants('const c = rows.where("a", "=", b).where("d", "is", null).map(f);')).toEqual([
      'const c = rows.where("d", "is", null).map(f);',
      'const c = rows.where("a", "=", b).map(f);',
    ]);
  });

  it("change numbers, booleans and SQL, but no types", () => {
    expect(mutants("const c: 1 = 1;")).toEqual(["const c: 1 = 2;"]);
    expect(mutants("const c = <div hidden={true} />;", "a.tsx")).toEqual([
      "const c = <div hidden={false} />;",
    ]);
    expect(mutants("const c = `SELECT x WHERE a >= 1 AND d`;")).toEqual([
      "const c = `SELECT x WHERE a > 1 AND d`;",
      "const c = `SELECT x WHERE a >= 1 OR d`;",
    ]);
    expect(mutants('const c = "PRAGMA synchronous = FULL";')).toEqual([
      'const c = "PRAGMA synchronous = NORMAL";',
    ]);
    expect(mutants('const c = "a >= b";')).toEqual([]);
  });
});

describe("the nearest tests of a file", () => {
  it("begin with the test of its name and go on through its importers", () => {
    const tests = nearestTests("packages/flame/src/wire/decode.ts");
    expect(tests.length).toBeGreaterThan(3);
    expect(tests.every((path) => path.startsWith("packages/flame/src/"))).toBe(true);
    expect(nearestTests("packages/web/src/session/session.ts")[0]).toBe(
      "packages/web/src/session/session.test.ts",
    );
  });

  it("are not all tests that start an app with it", () => {
    expect(nearestTests("packages/server/src/features/alerts/routes.ts").length).toBeLessThan(100);
  });
});
