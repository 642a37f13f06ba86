import { describe, expect, it } from "vitest";
import type { Rule } from "#rules/rule.ts";
import { cpuSubject, drawnSubject } from "#rules/testing/subject-of-picture.ts";
import { runRules } from "./run-rules.ts";
import { rules } from "./table.ts";

describe("a profile with a planted problem", () => {
  const findings = runRules(
    cpuSubject(`
      main.serve              main.serve          main.serve
      shop.rank@/shop/f.go:7  shop.rank@/shop/f.go:9  shop.list@/shop/l.go:3
      regexp.MustCompile      strings.Index           shop.sum@/shop/l.go:8
      regexp.compile
      120                     80                      800`),
  );

  it("has one finding with the application function, its line, shares and path", () => {
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({
      rule: "regexp-compile",
      category: "cpu_optimization",
      priority: "high",
      sampleType: "cpu",
      path: ["main.serve", "shop.rank", "regexp.MustCompile", "regexp.compile"],
    });
    expect(findings[0]!.share).toBeCloseTo(0.12, 9);
    expect(findings[0]!.functions[0]).toEqual({
      name: "shop.rank",
      file: "/shop/f.go",
      line: 7,
      selfShare: 0,
      totalShare: 0.2,
    });
    expect(findings[0]!.functions.map(({ name }) => name)).toEqual([
      "shop.rank",
      "main.serve",
      "regexp.compile",
    ]);
  });

  it("says what it costs in cores per instance", () => {
    expect(findings[0]!.impact).toContain("12% of CPU (0.12 cores per instance)");
  });
});

describe("a program that is merely busy", () => {
  it("has its hottest function named, with low priority", () => {
    const subject = cpuSubject(`
      main.serve              main.serve
      shop.rank@/shop/f.go:7  shop.list@/shop/l.go:3
      900                     700`);
    expect(runRules(subject)).toMatchObject([
      { rule: "hot-function", priority: "low", functions: [{ name: "shop.rank", selfShare: 0.5625 }, {}] },
    ]);
  });

  it("has none if it is empty", () => {
    expect(runRules(cpuSubject("main.serve     \n0              "))).toEqual([]);
  });
});

describe("the start of the program", () => {
  it("is no problem", () => {
    const subject = cpuSubject(`
      runtime.main        main.serve
      runtime.doInit1     shop.list@/shop/l.go:3
      shop.init@/shop/f.go:7  shop.list@/shop/l.go:3
      regexp.MustCompile
      300                     700`);
    expect(runRules(subject).map(({ rule, functions }) => [rule, functions[0]?.name])).toEqual([
      ["hot-function", "shop.list"],
    ]);
  });
});

describe("findings of several rules and profiles", () => {
  const logging = `
    main.serve                main.serve
    shop.book                 shop.sum
    log.Printf
    fmt.Appendf
    300                       700`;

  it("are one if a more specific rule reports the same stacks", () => {
    expect(runRules(cpuSubject(logging)).map(({ rule }) => rule)).toEqual(["logging-cost"]);
  });

  it("are two if a rule that yields has found another place as well", () => {
    const subject = cpuSubject(`
      main.serve                main.serve                main.serve
      shop.book                 shop.key                  shop.sum
      log.Printf                fmt.Sprintf
      fmt.Appendf
      300                       100                       600`);
    expect(runRules(subject).map(({ rule, functions, share }) => [rule, functions[0]!.name, share])).toEqual([
      ["logging-cost", "shop.book", 0.3],
      ["fmt-in-hot-path", "shop.key", 0.1],
    ]);
  });

  it("are ordered by priority, then by share and confidence", () => {
    const findings = runRules(
      cpuSubject(`
      main.serve                main.serve                main.serve
      shop.parse                shop.tag                  shop.page
      regexp.compile            crypto/sha256.Sum256      html/template.(*Template).Parse
      100                       600                       300`),
    );
    expect(findings.map(({ rule, priority }) => [rule, priority])).toEqual([
      ["template-parse", "high"],
      ["regexp-compile", "high"],
      ["hashing", "medium"],
    ]);
  });

  it("name each place once before they name one again, and causes before what follows from them", () => {
    const findings = runRules(
      cpuSubject(`
      main.serve                main.serve                main.serve                main.serve
      shop.load                 shop.load                 shop.token                shop.sum
      runtime.mallocgc          runtime.growslice         crypto/rand.Read
      runtime.gcAssistAlloc
      200                       100                       90                        610`),
    );
    expect(findings.map(({ rule, priority, functions }) => [rule, priority, functions[0]!.name])).toEqual([
      ["slice-growth", "medium", "shop.load"],
      ["crypto-random", "medium", "shop.token"],
      ["garbage-collection", "medium", "shop.load"],
    ]);
  });

  it("are never of high priority because of a few samples", () => {
    const few = runRules(
      cpuSubject(`
      main.serve                main.serve
      shop.parse                shop.sum
      regexp.compile
      10                        10`),
    );
    expect(few).toMatchObject([{ rule: "regexp-compile", priority: "medium" }]);
  });

  it("agree with the profile of another type about the same function, and are surer then", () => {
    const picture = `
      main.serve                main.serve
      shop.collect              shop.sum
      runtime.growslice
      40                        960`;
    const [alone] = runRules(cpuSubject(picture));
    const memory = drawnSubject("memory", "main.serve\nshop.collect\n900", ["alloc_space/bytes"]);
    const [joined] = runRules(cpuSubject(picture, { related: [memory] }), [...rules, agreeing]);
    expect(alone).toMatchObject({ rule: "slice-growth", priority: "low" });
    expect(joined).toMatchObject({ rule: "slice-growth", priority: "medium" });
    expect(joined!.confidence).toBeGreaterThan(alone!.confidence);
    expect(joined!.impact).toContain(
      "The memory profile of this service points to the same function: It allocates.",
    );
  });
});

/** A rule of memory profiles that reports everything. */
const agreeing: Rule = {
  id: "everything",
  name: "Everything",
  types: ["memory"],
  category: "memory_optimization",
  looksAt: "All.",
  example: "",
  find: ({ main }) => ({
    selection: main.endingInApplication(),
    priority: "medium",
    confidence: 0.8,
    saves: 0,
    issue: "All.",
    impact: "It allocates.",
    solution: "None.",
  }),
};
