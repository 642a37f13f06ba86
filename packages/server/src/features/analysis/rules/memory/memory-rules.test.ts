import { describe, expect, it } from "vitest";
import { runRules } from "#rules/run/run-rules.ts";
import type { Subject } from "#rules/subject.ts";
import { cpuSubject, drawnSubject } from "#rules/testing/subject-of-picture.ts";

const mib = 1 << 20;
const types = ["alloc_objects/count", "alloc_space/bytes", "inuse_objects/count", "inuse_space/bytes"];

interface Heap {
  readonly allocated?: number;
  readonly inUse?: number;
  /** Bytes per object. */
  readonly size?: number;
}

/** A heap profile of one stack, root first, besides a busy rest; sizes in MiB. */
function heap(stack: string, { allocated = 0, inUse = 0, size = 1024 }: Heap, facts = {}): Subject {
  const rest = ["net/http.(*conn).serve", "net/http.readRequest"];
  const frames = stack.split(" ");
  const value = (mebibytes: number) => `${Math.round((mebibytes * mib) / size)},${mebibytes * mib}`;
  const many = (mebibytes: number) => `${mebibytes * mib},${mebibytes * mib * 64}`;
  const columns = [
    [...frames, `${value(allocated)},${value(inUse)}`],
    [...rest, `${many(1)},${many(1)}`],
  ];
  const depth = Math.max(...columns.map((column) => column.length));
  const rows = Array.from({ length: depth }, (_, row) =>
    columns
      .map((column) =>
        (row === depth - 1 ? column.at(-1)! : row < column.length - 1 ? column[row]! : "").padEnd(72),
      )
      .join(""),
  );
  return drawnSubject("memory", rows.join("\n"), types, facts);
}

const found = (subject: Subject) =>
  runRules(subject).map(({ rule, functions }) => `${rule} ${functions[0]!.name}`);

/** Rule, cause, stack, and what the profile holds. */
const cases: readonly (readonly [rule: string, cause: string, stack: string, heap: Heap])[] = [
  [
    "buffer-growth",
    "shop.text",
    "main.serve shop.text bytes.(*Buffer).WriteString bytes.growSlice",
    { allocated: 100 },
  ],
  ["read-all", "shop.upload", "main.serve shop.upload io.ReadAll", { allocated: 100 }],
  [
    "json-decode-garbage",
    "shop.parse",
    "main.serve shop.parse encoding/json.Unmarshal encoding/json.(*decodeState).object",
    { allocated: 100 },
  ],
  [
    "pooled-object-missing",
    "shop.compressed",
    "main.serve shop.compressed compress/gzip.(*Writer).Write compress/flate.NewWriter",
    { allocated: 100 },
  ],
  ["garbage-per-request", "shop.window", "main.serve shop.window", { allocated: 300 }],
  ["boxed-values", "shop.row", "main.serve shop.row", { allocated: 100, size: 16 }],
  ["large-objects", "shop.newSheet", "main.serve shop.newSheet", { inUse: 200, size: 2 * mib }],
  [
    "subslice-retention",
    "shop.readDocument",
    "main.serve shop.readDocument os.ReadFile",
    { inUse: 200, size: 64 * 1024 },
  ],
];

describe("memory rules", () => {
  it.each(cases)("%s names %s", (rule, cause, stack, content) => {
    const subject = heap(stack, content);
    expect(found(subject)).toContain(`${rule} ${cause}`);
    const { allocated, inUse, size = 1024 } = content;
    const little = { size, ...(allocated && { allocated: 2 }), ...(inUse && { inUse: 2 }) };
    expect(found(heap(stack, little))).not.toContain(`${rule} ${cause}`);
  });

  it("tell memory that grows from a cache that fills a map, by an earlier profile", () => {
    const stack = "main.serve shop.record";
    const before = heap(stack, { inUse: 10 });
    expect(found(heap(stack, { inUse: 80 }, { earlier: [before] }))).toEqual(["heap-growth shop.record"]);
    expect(found(heap(stack, { inUse: 12 }, { earlier: [before] }))).toEqual([]);
    const filling = "main.serve shop.rememberAll runtime.mapassign_faststr internal/runtime/maps.newTable";
    const cache = heap(filling, { inUse: 80 }, { earlier: [heap(filling, { inUse: 10 })] });
    expect(found(cache)).toEqual(["unbounded-cache shop.rememberAll"]);
    expect(runRules(cache)[0]).toMatchObject({ priority: "high", sampleType: "inuse_space" });
  });

  it("find the one of two functions of one name that grows", () => {
    const inUse = (cart: number, order: number, earlier: Subject[] = []) =>
      drawnSubject(
        "memory",
        `
        main@/app/main.py:1    main@/app/main.py:1
        keep@/app/cart.py:3    keep@/app/order.py:7
        ${cart * mib}          ${order * mib}`,
        ["inuse_space/bytes"],
        { earlier },
      );
    const growing = runRules(inUse(80, 80, [inUse(80, 10)])).filter(({ rule }) => rule === "growing-memory");
    expect(growing.map(({ functions }) => functions[0]!.file)).toEqual(["/app/order.py"]);
    expect(runRules(inUse(80, 10, [inUse(80, 10)])).filter(({ rule }) => rule === "growing-memory")).toEqual(
      [],
    );
  });

  it("find growth of a few sampled objects less urgent", () => {
    const inUse = (mebibytes: number, earlier: Subject[] = []) =>
      drawnSubject("memory", `main.serve\nshop.record\n${mebibytes * mib}`, ["inuse_space/bytes"], {
        earlier,
      });
    const priorityOf = (mebibytes: number) =>
      runRules(inUse(mebibytes, [inUse(0.5)])).find(({ rule }) => rule === "heap-growth")?.priority;
    expect(priorityOf(8)).toBe("high");
    expect(priorityOf(3)).toBe("medium");
    expect(priorityOf(2)).toBeUndefined();
  });

  it("find texts that are kept more urgent if they become more and more", () => {
    const stack = "main.serve shop.receive io.Copy strings.(*Builder).Write";
    const kept = { inUse: 80, size: 32 * 1024 };
    const priorityOf = (earlier: Subject[]) =>
      runRules(heap(stack, kept, { earlier })).find(({ rule }) => rule === "subslice-retention")?.priority;
    expect(priorityOf([])).toBe("medium");
    expect(priorityOf([heap(stack, { ...kept, inUse: 10 })])).toBe("high");
  });

  it("mention that parts may keep large objects that grow in number, if the application makes them itself", () => {
    const at = (inUse: number, size: number, earlier: Subject[] = []) =>
      heap("main.serve shop.headline", { inUse, size }, { earlier });
    const found = (size: number) =>
      runRules(at(80, size, [at(10, size)])).find(({ rule }) => rule === "subslice-retention");
    expect(found(40 * 1024)).toMatchObject({ priority: "low", functions: [{ name: "shop.headline" }, {}] });
    expect(found(40 * 1024)?.issue).toContain("objects of 40 KB");
    expect(found(8 * 1024)).toBeUndefined();
  });

  it("name the next ones as well if several functions allocate much", () => {
    const subject = drawnSubject(
      "memory",
      `
      main.serve                        main.serve                       main.serve
      shop.draw                         shop.plan                        shop.sum
      ${50 * mib}                          ${40 * mib}                         ${10 * mib}`,
      ["alloc_space/bytes"],
    );
    const [finding] = runRules(subject);
    expect(finding).toMatchObject({ rule: "garbage-per-request", share: 0.5 });
    const names = finding!.functions.map(({ name }) => name);
    expect(names).toEqual(["shop.draw", "shop.plan", "main.serve"]);
  });

  it("take large objects that are thrown away for garbage, and say their size", () => {
    const subject = heap("main.serve shop.frame", { allocated: 100, size: 2 * mib });
    const finding = runRules(subject).find(({ rule }) => rule === "large-objects");
    expect(finding?.issue).toMatch(
      /^shop\.frame allocates objects of 2 MB, \d+% of allocated bytes: shrink them$/,
    );
  });

  it("name what allocates most besides buffers, for which there is a rule", () => {
    const subject = drawnSubject(
      "memory",
      `
      main.serve                        main.serve
      shop.text                         shop.draw
      strings.(*Builder).WriteString    image.NewRGBA
      ${50 * mib}                       ${45 * mib}`,
      ["alloc_space/bytes"],
    );
    expect(found(subject)).toEqual(
      expect.arrayContaining(["buffer-growth shop.text", "garbage-per-request shop.draw"]),
    );
  });

  it("leave out the memory of the profiler", () => {
    expect(
      found(heap("main.main runtime/pprof.StartCPUProfile compress/flate.NewWriter", { allocated: 100 })),
    ).toEqual([]);
  });

  it("see boxing in the CPU profile of the service", () => {
    const stack = "main.serve shop.row";
    const cpu = cpuSubject(`
      main.serve      main.serve
      shop.row        shop.sum
      runtime.convT64
      30              70`);
    const boxed = (facts: object) =>
      runRules(heap(stack, { allocated: 100, size: 200 }, facts)).find(({ rule }) => rule === "boxed-values");
    expect(boxed({})).toBeUndefined();
    expect(boxed({ related: [cpu] })).toMatchObject({ functions: [{ name: "shop.row" }, {}] });
  });

  it.each([
    ["pool-without-reuse shop.render", "main.serve shop.render sync.(*Pool).Get shop.init.func1"],
    ["split-texts shop.field", "main.serve shop.field strings.Split strings.genSplit"],
    ["timer-per-item shop.drain", "main.serve shop.drain time.After time.NewTimer"],
  ])("report %s", (expected, stack) => {
    expect(found(heap(stack, { allocated: 100, size: 200 }))[0]).toBe(expected);
  });

  it.each([
    "main.serve shop.price context.WithTimeout time.AfterFunc",
    "main.serve shop.render fmt.Sprintf fmt.newPrinter sync.(*Pool).Get fmt.init.func1",
  ])("leave %s to the library that makes the call", (stack) => {
    const rules = runRules(heap(stack, { allocated: 100, size: 200 })).map(({ rule }) => rule);
    expect(rules).toEqual(["garbage-per-request"]);
  });

  it("recommend structs only where JSON is decoded into maps", () => {
    const decoding = (leaf: string) => {
      const stack = `main.serve shop.parse encoding/json.Unmarshal encoding/json.(*decodeState).${leaf}`;
      return runRules(heap(stack, { allocated: 100 })).find(({ rule }) => rule === "json-decode-garbage")!;
    };
    expect(decoding("objectInterface")).toMatchObject({ priority: "high" });
    expect(decoding("objectInterface").issue).toContain(": decode into structs");
    expect(decoding("object")).toMatchObject({ priority: "medium" });
    expect(`${decoding("object").issue} ${decoding("object").solution}`).not.toMatch(
      /into structs|map\[string\]any/,
    );
  });

  it("name the size of a compressor only where one is made", () => {
    const impactOf = (call: string) =>
      runRules(heap(`main.serve shop.send ${call}`, { allocated: 100 }))[0]!.impact;
    expect(impactOf("compress/flate.NewWriter")).toContain("A gzip.Writer alone is about 800 KiB.");
    expect(impactOf("io.copyBuffer")).toContain("a buffer of 32 KiB");
    expect(impactOf("io.copyBuffer")).not.toContain("gzip");
  });
});
