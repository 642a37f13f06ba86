import { describe, expect, it } from "vitest";
import type { Finding } from "#rules/finding.ts";
import { runRules } from "#rules/run/run-rules.ts";
import { rulesOf } from "#rules/run/table.ts";
import { cpuSubject } from "#rules/testing/subject-of-picture.ts";

/** Rule, cause, and a profile in which the first column shows the problem; samples of 10 ms in ten seconds. */
const cases: readonly (readonly [rule: string, cause: string, picture: string])[] = [
  [
    "json-reflection",
    "shop.reply",
    `
    net/http.(*conn).serve                  net/http.(*conn).serve
    shop.reply                              shop.sum
    encoding/json.Marshal
    encoding/json.structEncoder.encode
    30                                      70`,
  ],
  [
    "regexp-compile",
    "shop.check",
    `
    net/http.(*conn).serve                  net/http.(*conn).serve
    shop.check                              shop.sum
    regexp.MustCompile
    regexp/syntax.Parse
    30                                      70`,
  ],
  [
    "regexp-matching",
    "shop.check",
    `
    net/http.(*conn).serve                  net/http.(*conn).serve
    shop.check                              shop.sum
    regexp.(*Regexp).MatchString
    regexp.(*Regexp).backtrack
    30                                      70`,
  ],
  [
    "fmt-in-hot-path",
    "shop.key",
    `
    net/http.(*conn).serve                  net/http.(*conn).serve
    shop.key                                shop.sum
    fmt.Sprintf
    30                                      70`,
  ],
  [
    "string-byte-conversion",
    "shop.words",
    `
    net/http.(*conn).serve                  net/http.(*conn).serve
    shop.words                              shop.sum
    runtime.slicebytetostring
    runtime.memmove
    30                                      70`,
  ],
  [
    "string-concatenation",
    "shop.table",
    `
    net/http.(*conn).serve                  net/http.(*conn).serve
    shop.table                              shop.sum
    runtime.concatstring3
    runtime.memmove
    30                                      70`,
  ],
  [
    "map-growth",
    "shop.index",
    `
    net/http.(*conn).serve                  net/http.(*conn).serve
    shop.index                              shop.sum
    runtime.mapassign_faststr
    internal/runtime/maps.(*table).rehash
    30                                      70`,
  ],
  [
    "slice-growth",
    "shop.collect",
    `
    net/http.(*conn).serve                  net/http.(*conn).serve
    shop.collect                            shop.sum
    runtime.growslice
    30                                      70`,
  ],
  [
    "template-parse",
    "shop.page",
    `
    net/http.(*conn).serve                  net/http.(*conn).serve
    shop.page                               shop.sum
    html/template.(*Template).Parse
    30                                      70`,
  ],
  [
    "template-execution",
    "shop.page",
    `
    net/http.(*conn).serve                  net/http.(*conn).serve
    shop.page                               shop.sum
    text/template.(*Template).execute
    text/template.(*state).evalCall
    shop.price
    30                                      70`,
  ],
  [
    "garbage-collection",
    "shop.load",
    `
    runtime.gcBgMarkWorker                  net/http.(*conn).serve
    runtime.gcDrain                         shop.load
    runtime.scanSpan                        runtime.mallocgc
    30                                      70`,
  ],
  [
    "small-writes",
    "shop.export",
    `
    net/http.(*conn).serve                  net/http.(*conn).serve
    shop.export                             shop.sum
    os.(*File).WriteString
    syscall.Write
    30                                      70`,
  ],
  [
    "tls-handshakes",
    "shop.fetch",
    `
    net/http.(*persistConn).addTLS.func2    net/http.(*conn).serve
    crypto/tls.(*Conn).clientHandshake      shop.fetch
    crypto/x509.(*Certificate).Verify       net/http.(*Client).Get
    30                                      70`,
  ],
  [
    "compression-level",
    "shop.send",
    `
    net/http.(*conn).serve                  net/http.(*conn).serve
    shop.send                               shop.sum
    compress/flate.(*compressor).deflate
    compress/flate.(*compressor).findMatch
    30                                      70`,
  ],
  [
    "logging-cost",
    "shop.book",
    `
    net/http.(*conn).serve                  net/http.(*conn).serve
    shop.book                               shop.sum
    log/slog.(*Logger).Info
    fmt.Fprintf
    30                                      70`,
  ],
  [
    "time-now",
    "shop.expire",
    `
    net/http.(*conn).serve                  net/http.(*conn).serve
    shop.expire                             shop.sum
    time.Now
    30                                      70`,
  ],
  [
    "hashing",
    "shop.tag",
    `
    net/http.(*conn).serve                  net/http.(*conn).serve
    shop.tag                                shop.sum
    crypto/sha256.Sum256
    crypto/internal/fips140/sha256.block
    30                                      70`,
  ],
  [
    "password-hashing",
    "shop.key",
    `
    net/http.(*conn).serve                  net/http.(*conn).serve
    shop.key                                shop.sum
    golang.org/x/crypto/bcrypt.CompareHashAndPassword
    30                                      70`,
  ],
  [
    "memory-copies",
    "shop.snapshot",
    `
    net/http.(*conn).serve                  net/http.(*conn).serve
    shop.snapshot                           shop.sum
    runtime.memmove
    30                                      70`,
  ],
  [
    "sort-with-reflection",
    "shop.best",
    `
    net/http.(*conn).serve                  net/http.(*conn).serve
    shop.best                               shop.sum
    sort.Slice
    sort.insertionSort_func
    shop.best.func1
    30                                      70`,
  ],
  [
    "database-n-plus-one",
    "shop.(*repo).line",
    `
    net/http.(*conn).serve                  net/http.(*conn).serve                  net/http.(*conn).serve
    shop.list                               shop.list                               shop.sum
    shop.(*repo).line                       shop.(*repo).orders
    database/sql.(*DB).QueryRowContext      database/sql.(*DB).QueryContext
    driver.(*conn).Query                    driver.(*conn).Query
    60                                      10                                      30`,
  ],
  [
    "scheduler-overhead",
    "shop.brighten",
    `
    runtime.mcall                           net/http.(*conn).serve                  net/http.(*conn).serve
    runtime.park_m                          shop.brighten                           shop.sum
    runtime.schedule                        runtime.newproc
    30                                      20                                      50`,
  ],
  [
    "lock-spinning",
    "shop.count",
    `
    net/http.(*conn).serve                  net/http.(*conn).serve
    shop.count                              shop.sum
    sync.(*Mutex).Lock
    internal/sync.(*Mutex).lockSlow
    30                                      70`,
  ],
  [
    "missing-pgo",
    "shop.rate",
    `
    net/http.(*conn).serve                  net/http.(*conn).serve
    shop.rate                               internal/runtime/syscall/linux.Syscall6
    600                                     10`,
  ],
  [
    "old-go-version",
    "shop.prices",
    `
    net/http.(*conn).serve                  net/http.(*conn).serve
    shop.prices                             runtime/internal/syscall.Syscall6
    runtime.mapaccess1_faststr
    30                                      70`,
  ],
  [
    "interface-allocation",
    "shop.entry",
    `
    net/http.(*conn).serve                  net/http.(*conn).serve
    shop.entry                              shop.sum
    runtime.convTstring
    runtime.mallocgc
    30                                      70`,
  ],
  [
    "system-calls",
    "shop.settings",
    `
    net/http.(*conn).serve                  net/http.(*conn).serve
    shop.settings                           shop.sum
    os.ReadFile
    syscall.Open
    30                                      70`,
  ],
  [
    "busy-polling",
    "shop.wait",
    `
    net/http.(*conn).serve                  net/http.(*conn).serve
    shop.wait                               shop.sum
    runtime.selectnbrecv
    runtime.chanrecv
    30                                      70`,
  ],
  [
    "connection-per-request",
    "shop.price",
    `
    net/http.(*conn).serve                  net/http.(*Transport).dialConnFor     net/http.(*conn).serve
    shop.price                              net/http.(*Transport).dialConn        shop.sum
    net/http.(*Client).Do
    30                                      20                                    50`,
  ],
  [
    "request-per-item",
    "shop.price",
    `
    net/http.(*conn).serve                  net/http.(*conn).serve
    shop.price                              shop.sum
    net/http.(*Client).Do
    30                                      70`,
  ],
  [
    "defer-in-loop",
    "shop.release",
    `
    net/http.(*conn).serve                  net/http.(*conn).serve
    shop.release                            shop.sum
    runtime.deferproc
    30                                      70`,
  ],
  [
    "reflection",
    "shop.audit",
    `
    net/http.(*conn).serve                  net/http.(*conn).serve
    shop.audit                              shop.sum
    reflect.DeepEqual
    reflect.deepValueEqual
    30                                      70`,
  ],
  [
    "linear-search",
    "shop.find",
    `
    net/http.(*conn).serve                  net/http.(*conn).serve
    shop.find                               shop.sum
    slices.Contains
    slices.Index
    30                                      70`,
  ],
  [
    "repeated-parsing",
    "shop.isInternal",
    `
    net/http.(*conn).serve                  net/http.(*conn).serve
    shop.isInternal                         shop.sum
    net.ParseCIDR
    runtime.mallocgc
    30                                      70`,
  ],
  [
    "crypto-random",
    "shop.jitter",
    `
    net/http.(*conn).serve                  net/http.(*conn).serve
    shop.jitter                             shop.sum
    crypto/rand.Int
    crypto/internal/sysrand.Read
    30                                      70`,
  ],
  [
    "channel-per-item",
    "shop.produce",
    `
    net/http.(*conn).serve                  net/http.(*conn).serve
    shop.produce                            shop.sum
    runtime.chansend1
    runtime.chansend
    30                                      70`,
  ],
  [
    "map-lookups",
    "shop.cheapest",
    `
    net/http.(*conn).serve                  net/http.(*conn).serve
    shop.cheapest                           shop.sum
    runtime.mapaccess1_fast64
    30                                      70`,
  ],
];

const cpuRules = rulesOf("go")
  .filter(({ types }) => types.includes("cpu"))
  .map(({ id }) => id);

function findingOf(rule: string, picture: string): Finding | undefined {
  return runRules(cpuSubject(picture)).find((finding) => finding.rule === rule);
}

describe("what a rule takes for its problem", () => {
  it("is a search by a function, but not what the function does besides comparing", () => {
    const look = (below: string) => `
      main.serve            main.serve
      shop.place            shop.sum
      slices.IndexFunc
      shop.place.func1
      ${below}
      30                    70`;
    expect(findingOf("linear-search", look(""))?.functions[0]?.name).toBe("shop.place");
    expect(findingOf("linear-search", look("regexp.doExecute"))).toBeUndefined();
  });

  it("are maps that the application fills, not those of libraries", () => {
    const filled = (by: string) => `
      main.serve                             main.serve
      shop.index                             shop.sum
      ${by}
      internal/runtime/maps.(*table).grow
      30                                     70`;
    expect(findingOf("map-growth", filled("runtime.mapassign"))?.functions[0]?.name).toBe("shop.index");
    expect(findingOf("map-growth", filled("reflect.DeepEqual"))).toBeUndefined();
  });

  it("are containers of any, with the function that fills them", () => {
    const heap = `
      main.serve            main.serve
      shop.plan             shop.sum
      container/heap.Push
      container/heap.up
      shop.queue.Less
      30                    70`;
    expect(findingOf("interface-allocation", heap)).toMatchObject({
      priority: "medium",
      functions: [{ name: "shop.plan" }, {}, {}],
    });
  });

  it("is polling if the scheduler dominates although sleeping itself costs little", () => {
    const polling = `
      runtime.mcall         main.poll             net/http.(*conn).serve
      runtime.park_m        time.Sleep            shop.sum
      runtime.schedule
      50                    4                     46`;
    expect(findingOf("scheduler-overhead", polling)?.functions[0]?.name).toBe("main.poll");
    expect(findingOf("scheduler-overhead", polling.replace("50  ", "15  "))).toBeUndefined();
  });

  it("is a query for one row with the reading of its columns", () => {
    const query = `
      main.serve                               main.serve                      main.serve
      shop.wagon                               shop.wagon                      shop.sum
      database/sql.(*DB).QueryRowContext       database/sql.(*Row).Scan
      20                                       20                              360`;
    const finding = findingOf("database-n-plus-one", query);
    expect(finding).toMatchObject({ functions: [{ name: "shop.wagon" }, {}, {}] });
    expect(finding?.share).toBeCloseTo(0.1, 9);
  });

  it("is mentioned with few samples if it would matter", () => {
    const few = (call: string, count: number) => `
      main.serve            main.serve
      shop.parse            shop.sum
      ${call}
      ${count}                     20`;
    expect(findingOf("fmt-in-hot-path", few("fmt.Sprintf", 4))).toMatchObject({ priority: "low" });
    expect(findingOf("fmt-in-hot-path", few("fmt.Sprintf", 3))).toBeUndefined();
    expect(findingOf("regexp-compile", few("regexp.Compile", 3))).toMatchObject({ priority: "low" });
    expect(findingOf("regexp-compile", few("regexp.Compile", 2))).toBeUndefined();
  });

  it("are items that pass a channel, but not the ticks of a timer", () => {
    const passing = (below: string) => `
      main.serve            main.serve               main.serve
      shop.follow           shop.follow              shop.sum
      runtime.chanrecv2     runtime.chanrecv2
                            ${below}
      20                    10                       70`;
    expect(findingOf("channel-per-item", passing("runtime.lock2"))?.functions[0]?.name).toBe("shop.follow");
    expect(findingOf("channel-per-item", passing("runtime.(*timer).unlock"))).toBeUndefined();
  });

  it("is polling where a loop asks an atomic again and again", () => {
    const loop = `
      main.serve                       main.serve
      shop.await                       shop.sum
      sync/atomic.(*Bool).Load
      30                               70`;
    expect(findingOf("lock-spinning", loop)).toMatchObject({ priority: "medium" });
    expect(findingOf("lock-spinning", loop.replace("30 ", "80 "))).toMatchObject({ priority: "high" });
    expect(findingOf("lock-spinning", loop.replace("30 ", "6  "))).toBeUndefined();
  });

  it("is polling, and no passing of items, where a receive returns at once", () => {
    const asking = (receive: string) => `
      main.serve                       main.serve
      shop.await                       shop.sum
      ${receive}
      30                               70`;
    expect(findingOf("lock-spinning", asking("runtime.selectnbrecv"))).toBeDefined();
    expect(findingOf("channel-per-item", asking("runtime.selectnbrecv"))).toBeUndefined();
    expect(findingOf("channel-per-item", asking("runtime.chanrecv2"))).toBeDefined();
  });

  it("is a collection that the program starts itself", () => {
    const collection = (call: string) => `
      runtime.gcBgMarkWorker       main.serve             main.serve
      runtime.gcDrain              shop.tidy              shop.load
                                   ${call.padEnd(22)} runtime.mallocgc
      30                           5                      65`;
    const forced = findingOf("garbage-collection", collection("runtime.GC"));
    expect(forced?.functions[0]?.name).toBe("shop.tidy");
    expect(forced?.solution).toContain("Remove runtime.GC");
    const ordinary = findingOf("garbage-collection", collection("runtime.memmove"));
    expect(ordinary?.functions[0]?.name).toBe("shop.load");
  });

  it("is an old Go version whose maps have no package, as far as several stacks show", () => {
    const maps = (below: string) => `
      main.serve                                main.serve                                main.serve                                main.serve
      shop.explain                              shop.explain                              shop.count                                shop.sum
      runtime.mapaccess1                        runtime.mapassign                         runtime.mapaccess2
      ${below.padEnd(42)}${below.padEnd(42)}${below}
      10                                        10                                        10                                        70`;
    expect(findingOf("old-go-version", maps("runtime.memhash"))?.issue).toContain("older than 1.24");
    expect(findingOf("old-go-version", maps("internal/runtime/maps.(*Map).getWithKey"))).toBeUndefined();
  });

  it.each([
    ["system-calls", "os.Getenv", "syscall.Getenv"],
    ["time-now", "time.Time.AddDate", "time.Date"],
    ["string-byte-conversion", "strings.ToLower", "strings.Map"],
    ["string-byte-conversion", "encoding/base64.(*Encoding).EncodeToString", ""],
  ])("%s knows %s", (rule, called, below) => {
    const calling = `
      main.serve                                      main.serve
      shop.normalize                                  shop.sum
      ${called}
      ${below}
      30                                              70`;
    expect(findingOf(rule, calling)).toMatchObject({ functions: [{ name: "shop.normalize" }, {}, {}] });
  });

  it("is logging with the arguments of its lines, even if no line is written", () => {
    const logged = (caller: string) => `
      main.serve                       main.serve                       main.serve
      shop.trace                       ${caller.padEnd(33)}shop.sum
      log/slog.(*Logger).Debug         runtime.convTstring
      8                                20                               72`;
    expect(findingOf("logging-cost", logged("shop.trace"))?.share).toBeCloseTo(0.28, 9);
    expect(findingOf("logging-cost", logged("shop.box"))?.share).toBeCloseTo(0.08, 9);
  });

  it("is a hash that the application wrote itself, and urgent if it dominates", () => {
    const hashed = (name: string, count: number) => `
      main.serve                       main.serve
      shop.seal                        shop.sum
      ${name}
      ${count}                         ${100 - count}`;
    expect(findingOf("hashing", hashed("shop.hashText", 40))).toMatchObject({
      priority: "high",
      functions: [{ name: "shop.seal" }, {}, {}],
    });
    expect(findingOf("hashing", hashed("shop.hashText", 20))?.priority).toBe("medium");
    expect(findingOf("hashing", hashed("shop.shardOf", 40))?.priority).toBe("medium");
    expect(findingOf("hashing", hashed("crypto/sha256.Sum256", 60))?.priority).toBe("medium");
  });

  it("is a search by name where only a small part of the profile compares", () => {
    const searched = (compared: number) => `
      main.serve                       main.serve                       main.serve
      shop.overlap                     shop.price                       shop.sum
                                       runtime.memequal
      30                               ${String(compared).padEnd(33)}60`;
    expect(findingOf("linear-search", searched(7))?.functions[0]?.name).toBe("shop.overlap");
    expect(findingOf("linear-search", searched(20))?.functions[0]?.name).toBe("shop.price");
  });

  it("are copies of whole maps", () => {
    const copied = `
      main.serve                       main.serve
      shop.snapshot                    shop.sum
      maps.Clone
      runtime.mapclone2
      30                               70`;
    expect(findingOf("memory-copies", copied)?.functions[0]?.name).toBe("shop.snapshot");
  });
});

describe("CPU rules", () => {
  it("all have a case", () => {
    expect(cases.map(([rule]) => rule).sort()).toEqual(cpuRules.sort());
  });

  it.each(cases)("%s names %s", (rule, cause, picture) => {
    const finding = findingOf(rule, picture);
    expect(finding?.functions[0]?.name).toBe(cause);
    expect(finding?.path).toContain(cause);
    const short = cause.slice(cause.lastIndexOf("/") + 1);
    expect(`${finding?.issue} ${finding?.solution}`).toContain(
      ["old-go-version", "missing-pgo"].includes(rule) ? "Go" : short,
    );
    expect(`${finding?.issue} ${finding?.impact}`).toMatch(/\d+% of CPU/);
  });

  it.each(cases)("%s says nothing about a share that is too small", (rule, _cause, picture) => {
    const rows = picture.split("\n");
    const values = rows.pop()!;
    const small = values.replace(/^( *)\d+ /, "$11  ").replace(/\d+$/, "3000");
    const isAbsolute = rule === "missing-pgo";
    expect(
      findingOf(rule, [...rows, isAbsolute ? values.replace("600", "4  ") : small].join("\n")),
    ).toBeUndefined();
  });

  it("know time zones that are loaded again and again", () => {
    const picture = `
      main.serve              main.serve
      shop.local              shop.sum
      time.LoadLocation
      30                      70`;
    expect(findingOf("time-now", picture)?.issue).toBe(
      "shop.local spends 30% of CPU loading time zones: load each once",
    );
  });

  it("do not take requests over new connections for many requests", () => {
    const picture = `
      main.serve              net/http.(*Transport).dialConn   main.serve
      shop.price                                               shop.sum
      net/http.(*Client).Do
      30                      20                               50`;
    expect(findingOf("request-per-item", picture)).toBeUndefined();
  });
});
