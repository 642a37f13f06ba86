import { defaultLimits, profileTypeOf, readProfile } from "@flamekeep/profile";
import { inflatedRecording } from "@flamekeep/profile/testing/recordings";
import { describe, expect, it } from "vitest";
import { inFiles } from "#rules/match.ts";
import { runRules } from "#rules/run/run-rules.ts";
import { rulesOf } from "#rules/run/table.ts";
import { subjectOf } from "#rules/subject.ts";
import { cpuSubject, drawnSubject } from "#rules/testing/subject-of-picture.ts";

/** Frames as profilers record them, root first: Pyroscope's for Python and Node, and Java Flight Recorder's. */
const stdlib = "/usr/lib/python3.11";
const site = "/srv/venv/lib/python3.11/site-packages";
const python = (...below: string[]) => ["<module>@/srv/shop/app.py:1", "render@/srv/shop/app.py:7", ...below];
const node = (...below: string[]) => [
  "node:internal/timers:processImmediate:438@node:internal/timers:1",
  "./src/app.js:render:7@/srv/shop/src/app.js:7",
  ...below,
];
const java = (...below: string[]) => ["java/lang/Thread.run", "com/acme/shop/Cart.render", ...below];

/** The stack, next to half as much of the application's own code; three samples of 10 ms in ten a second. */
function subjectOfStack(stack: readonly string[], samples = 400) {
  const [root = "", own = ""] = stack;
  const rows = stack.map((frame, depth) => `${frame.padEnd(120)}${[root, own][depth] ?? ""}`);
  return cpuSubject(`${rows.join("\n")}\n${String(samples).padEnd(120)}${samples / 2}`);
}

const cases: readonly (readonly [rule: string, stack: string[]])[] = [
  [
    "python-json",
    python(`dumps@${stdlib}/json/__init__.py:2`, `JSONEncoder.encode@${stdlib}/json/encoder.py:2`),
  ],
  ["python-models", python(`BaseModel.__init__@${site}/pydantic/main.py:2`)],
  [
    "python-yaml",
    python(`safe_load@${site}/yaml/__init__.py:2`, `Scanner.scan_plain@${site}/yaml/scanner.py:2`),
  ],
  [
    "python-regex-compile",
    python(
      `findall@${stdlib}/re/__init__.py:2`,
      `_compile@${stdlib}/re/__init__.py:3`,
      `_parse@${stdlib}/re/_parser.py:2`,
    ),
  ],
  ["python-regex-match", python(`search@${stdlib}/re/__init__.py:2`)],
  ["python-deep-copy", python(`deepcopy@${stdlib}/copy.py:2`, `_deepcopy_dict@${stdlib}/copy.py:3`)],
  [
    "python-dates",
    python(`_strptime_datetime@${stdlib}/_strptime.py:2`, `_strptime@${stdlib}/_strptime.py:3`),
  ],
  [
    "python-logging",
    python(`Logger.info@${stdlib}/logging/__init__.py:2`, `Formatter.format@${stdlib}/logging/__init__.py:3`),
  ],
  ["python-reflection", python(`getmembers@${stdlib}/inspect.py:2`, `_getmembers@${stdlib}/inspect.py:3`)],
  [
    "python-exceptions",
    python(`format_exc@${stdlib}/traceback.py:2`, `StackSummary.format@${stdlib}/traceback.py:3`),
  ],
  [
    "python-lazy-loading",
    python(
      `InstrumentedAttribute.__get__@${site}/sqlalchemy/orm/attributes.py:2`,
      `_LazyLoader._emit_lazyload@${site}/sqlalchemy/orm/strategies.py:2`,
      `Session.execute@${site}/sqlalchemy/orm/session.py:2`,
    ),
  ],
  ["python-queries", python(`Session.execute@${site}/sqlalchemy/orm/session.py:2`)],
  [
    "python-http-client",
    python(`get@${site}/requests/api.py:2`, `Session.send@${site}/requests/sessions.py:2`),
  ],
  [
    "python-template-compile",
    python(
      `Template.__new__@${site}/jinja2/environment.py:2`,
      `CodeGenerator.visit@${site}/jinja2/compiler.py:2`,
    ),
  ],
  [
    "python-processes",
    python(`run@${stdlib}/subprocess.py:2`, `Popen._execute_child@${stdlib}/subprocess.py:3`),
  ],
  ["python-row-loops", python(`DataFrame.iterrows@${site}/pandas/core/frame.py:2`)],
  ["python-gil", python("take_gil")],
  ["python-lock-waits", python(`Condition.wait@${stdlib}/threading.py:2`)],
  [
    "node-serialization",
    node("./node_modules/js-yaml/lib/dumper.js:dump:9@/srv/shop/node_modules/js-yaml/lib/dumper.js:9"),
  ],
  [
    "node-parsing",
    node("./node_modules/js-yaml/lib/loader.js:load:9@/srv/shop/node_modules/js-yaml/lib/loader.js:9"),
  ],
  [
    "node-deep-copy",
    node(
      "./node_modules/lodash/lodash.js:cloneDeep:11186@/srv/shop/node_modules/lodash/lodash.js:1",
      "./node_modules/lodash/lodash.js:baseClone:2667@/srv/shop/node_modules/lodash/lodash.js:2",
    ),
  ],
  ["node-deep-copy", node("structuredClone@node:internal/worker/js_transferable:118")],
  [
    "node-deep-comparison",
    node("node:internal/util/comparisons:isDeepStrictEqual:9@node:internal/util/comparisons:9"),
  ],
  ["node-regular-expression", node("RegExp:^(\\w+\\s?)+$")],
  ["node-sync-calls", node("node:fs:readFileSync:441@node:fs:441", ":readFileUtf8:0")],
  [
    "node-sync-crypto",
    node("node:internal/crypto/pbkdf2:pbkdf2Sync:62@node:internal/crypto/pbkdf2:62", ":run:0"),
  ],
  [
    "node-logging",
    node(
      ":consoleCall:0",
      "node:internal/console/constructor:warn:382@node:internal/console/constructor:382",
      "node:internal/util/inspect:formatValue:793@node:internal/util/inspect:793",
    ),
  ],
  ["node-inspect", node("node:internal/util/inspect:inspect:321@node:internal/util/inspect:321")],
  [
    "node-exceptions",
    node(":get:0", "node:internal/errors:defaultPrepareStackTrace:95@node:internal/errors:95"),
  ],
  [
    "node-reflection",
    node("./node_modules/joi/lib/base.js:validate:9@/srv/shop/node_modules/joi/lib/base.js:9"),
  ],
  [
    "node-buffer-copies",
    node("node:buffer:concat:577@node:buffer:577", "node:buffer:_copyActual:241@node:buffer:241"),
  ],
  ["node-queries", node("./node_modules/pg/lib/client.js:query:9@/srv/shop/node_modules/pg/lib/client.js:9")],
  ["node-dates", node("./node_modules/moment/moment.js:hooks:15@/srv/shop/node_modules/moment/moment.js:15")],
  [
    "node-template-compile",
    node("./node_modules/ejs/lib/ejs.js:compile:9@/srv/shop/node_modules/ejs/lib/ejs.js:9"),
  ],
  ["java-mapper-per-call", java("com/fasterxml/jackson/databind/ObjectMapper.<init>")],
  [
    "java-serialization",
    java(
      "java/io/ObjectOutputStream.writeObject",
      "java/io/ObjectOutputStream.writeObject0",
      "java/lang/reflect/Method.invoke",
    ),
  ],
  [
    "java-deep-copy",
    java("org/apache/commons/lang3/SerializationUtils.clone", "java/io/ObjectInputStream.readObject"),
  ],
  [
    "java-regex-compile",
    java("java/lang/String.matches", "java/util/regex/Pattern.compile", "java/util/regex/Pattern.expr"),
  ],
  ["java-regex-match", java("java/util/regex/Matcher.find")],
  ["java-boxing", java("java/lang/Integer.valueOf")],
  [
    "java-string-concatenation",
    java("java/lang/invoke/Invokers$Holder.linkToTargetMethod", "java/lang/StringConcatHelper.newArray"),
  ],
  [
    "java-string-format",
    java("java/lang/String.format", "java/util/Formatter.format", "java/lang/StringBuilder.append"),
  ],
  ["java-dates", java("java/text/SimpleDateFormat.<init>", "java/text/SimpleDateFormat.compile")],
  ["java-linear-search", java("java/util/ArrayList.contains", "java/util/ArrayList.indexOfRange")],
  [
    "java-sorting",
    java("java/util/ArrayList.sort", "java/util/TimSort.sort", "java/util/TimSort.binarySort"),
  ],
  [
    "java-template-parse",
    java("freemarker/template/Template.<init>", "freemarker/core/FMParser.Root", "java/util/HashMap.put"),
  ],
  ["java-yaml", java("org/yaml/snakeyaml/Yaml.load", "java/util/regex/Matcher.matches")],
  ["java-compression", java("java/util/zip/Deflater.deflate", "/usr/lib/x86_64-linux-gnu/libz.so.1.2.13")],
  [
    "java-password-hashing",
    java("org/mindrot/jbcrypt/BCrypt.checkpw", "org/mindrot/jbcrypt/BCrypt.encipher"),
  ],
  ["java-logging", java("ch/qos/logback/classic/Logger.info", "java/lang/StringBuilder.append")],
  ["java-reflection", java("java/lang/Class.getMethods", "java/lang/reflect/Method.copy")],
  ["java-exceptions", java("java/lang/Integer.parseInt", "java/lang/NumberFormatException.forInputString")],
  [
    "java-lazy-loading",
    java(
      "com/acme/shop/Order$HibernateProxy$a1.getLines",
      "org/hibernate/proxy/AbstractLazyInitializer.initialize",
      "org/postgresql/jdbc/PgStatement.execute",
    ),
  ],
  ["java-queries", java("org/postgresql/jdbc/PgStatement.execute")],
  ["java-secure-random", java("java/util/UUID.randomUUID", "java/security/SecureRandom.nextBytes")],
  ["java-tls-handshakes", java("sun/security/ssl/SSLSocketImpl.startHandshake")],
  ["java-garbage-collection", java("G1ParEvacuateFollowersClosure::do_void")],
];

describe("rules about Java, Python and Node", () => {
  it.each(cases)("%s comes first where its frames are", (rule, stack) => {
    const [first] = runRules(subjectOfStack(stack));
    expect(first).toMatchObject({ rule, sampleType: "cpu" });
    expect(first!.functions[0]!.name).toMatch(/render/);
    expect(first!.path).toContain(first!.functions[0]!.name);
  });

  it("all have a case", () => {
    const ids = ["java", "python", "node"] as const;
    const all = ids.flatMap((each) => rulesOf(each)).filter(({ types }) => types.includes("cpu"));
    expect(all.length).toBeGreaterThan(40);
    const tested = new Set([...cases.map(([rule]) => rule), "node-garbage-collection"]);
    expect([...tested].sort()).toEqual(all.map(({ id }) => id).sort());
  });

  it("name who waits for a lock of Java, and not who waits for work", () => {
    const waits = (...frames: string[]) =>
      drawnSubject(
        "mutex",
        ["java/lang/Thread.run", "com/acme/shop/Cart.sell", ...frames, "2000000000"].join("\n"),
        ["delay/nanoseconds"],
      );
    const locks = "java/util/concurrent/locks";
    for (const frames of [[], [`${locks}/ReentrantLock.lock`, `${locks}/LockSupport.park`]]) {
      expect(runRules(waits(...frames))).toMatchObject([
        { rule: "java-lock-waits", priority: "medium", functions: [{ name: "com/acme/shop/Cart.sell" }] },
      ]);
    }
    const taking = `${locks}/AbstractQueuedSynchronizer$ConditionObject.await`;
    expect(runRules(waits(taking, `${locks}/LockSupport.park`))[0]?.rule).toBe("hot-wait");
  });

  it("tell how much V8 collects, and which functions run most, without blame for one of them", () => {
    const root = "node:internal/timers:processImmediate:438;./src/app.js:render:7";
    const text = `${root} 40\n${root};./src/app.js:merge:9 20\n:Node.js:0;:Garbage Collection:0 40\n`;
    const read = readProfile(Buffer.from(text), defaultLimits);
    if (!read.ok) throw new Error(read.error.message);
    const [first] = runRules(subjectOf(read.profile, "cpu"));
    expect(first).toMatchObject({ rule: "node-garbage-collection", share: 0.4 });
    expect(first!.functions.map(({ name }) => name)).toEqual([
      ":Garbage Collection:0",
      "./src/app.js:render:7",
      "./src/app.js:merge:9",
    ]);
    expect(first!.issue).toBe("Garbage collection takes 40% of samples: allocate less");
    expect(first!.solution).toContain("that run most, app.js:render:7 and app.js:merge:9: do not");
  });

  it("give the function that they name its own cost and frames, and say what others add", () => {
    const rows = [
      ["orders@/srv/app/views.py:12", "bills@/srv/app/bill.py:50", "idle@/srv/app/a.py:5"],
      [`loads@${stdlib}/json/__init__.py:346`, `dumps@${stdlib}/json/__init__.py:231`],
      ["200", "180", "620"],
    ];
    const subject = cpuSubject(rows.map((row) => row.map((cell) => cell.padEnd(60)).join("")).join("\n"));
    const findings = runRules(subject);
    expect(findings.map(({ rule, functions }) => [rule, functions[0]!.name])).toEqual([
      ["python-json", "orders"],
      ["hot-function", "idle"],
    ]);
    const json = findings[0]!;
    expect(json.issue).toContain("orders spends 20% of CPU (38% in all) on JSON");
    expect(json.impact).toContain("20% of CPU (0.2 cores per instance; 38% with 1 other function)");
    expect(json.impact).toContain("Seen below it: loads.");
    expect(json.functions.map(({ name, totalShare }) => [name, totalShare])).toEqual([
      ["orders", 0.2],
      ["bills", 0.18],
      ["loads", 0.2],
    ]);
  });

  it("know libraries of Python by the short paths of py-spy", () => {
    const [first] = runRules(
      subjectOfStack([
        "<module>@app.py:1",
        "render@views.py:7",
        "loads@json/__init__.py:3",
        "raw_decode@json/decoder.py:9",
      ]),
    );
    expect(first).toMatchObject({ rule: "python-json", functions: [{ name: "render" }, {}, {}] });
  });

  it("say which frames they saw, and what they cost", () => {
    const [first] = runRules(subjectOfStack(python(`deepcopy@${stdlib}/copy.py:2`)));
    expect(first!.impact).toContain("67% of CPU (0.4 cores per instance)");
    expect(first!.impact).toContain("Seen below it: deepcopy.");
  });

  it("are urgent only where the cost is", () => {
    const priorityAt = (samples: number) =>
      runRules(subjectOfStack(python(`deepcopy@${stdlib}/copy.py:2`), samples))[0]?.priority;
    expect([400, 20, 6].map(priorityAt)).toEqual(["high", "medium", "low"]);
  });

  it("know a query for one attribute of Django from one that the program asks for", () => {
    const descriptors = `${site}/django/db/models/fields/related_descriptors.py`;
    const first = (...below: string[]) => runRules(subjectOfStack(python(...below)))[0]?.rule;
    const lazy = [
      `ForwardManyToOneDescriptor.__get__@${descriptors}:2`,
      `ForwardManyToOneDescriptor.get_object@${descriptors}:3`,
    ];
    expect(first(...lazy, `SQLCompiler.execute_sql@${site}/django/db/models/sql/compiler.py:2`)).toBe(
      "python-lazy-loading",
    );
    expect(first(`ReverseManyToOneDescriptor.__get__@${descriptors}:2`)).toBe("python-queries");
    const manager = `create_reverse_many_to_one_manager.<locals>.RelatedManager.get_queryset@${descriptors}:4`;
    expect(first(manager, `Query.add_q@${site}/django/db/models/sql/query.py:2`)).toBe("python-queries");
    expect(first(manager, `SQLCompiler.as_sql@${site}/django/db/models/sql/compiler.py:2`)).toBe(
      "python-queries",
    );
  });

  it.each([
    ["java/util/ImmutableCollections$MapN.get", "java/util/ImmutableCollections$MapN.probe"],
    ["java/util/ImmutableCollections$SetN.contains", "java/util/ImmutableCollections$SetN.probe"],
    ["java/util/ArrayList.remove", "java/util/ArrayList.fastRemove"],
    ["java/util/LinkedList.remove", "java/util/LinkedList.unlinkFirst"],
    ["java/util/concurrent/CopyOnWriteArrayList.get"],
  ])("do not take %s for a search through a list", (...below) => {
    expect(runRules(subjectOfStack(java(...below))).map(({ rule }) => rule)).toEqual(["hot-function"]);
  });

  it.each([
    "java/util/ImmutableCollections$ListN.indexOf",
    "java/util/LinkedList.node",
    "java/util/AbstractCollection.contains",
    "java/util/concurrent/CopyOnWriteArrayList.addIfAbsent",
  ])("take %s for a search through a list", (frame) => {
    expect(runRules(subjectOfStack(java(frame)))[0]).toMatchObject({ rule: "java-linear-search" });
  });

  it("leave the loading of classes out", () => {
    const loading = java("com/acme/shop/Cart.<clinit>", "java/util/regex/Pattern.compile");
    expect(runRules(subjectOfStack(loading)).map(({ rule }) => rule)).not.toContain("java-regex-compile");
  });
});

describe("the hottest functions", () => {
  it("are named where no rule knows more, with what the profile cannot show", () => {
    const [first] = runRules(subjectOfStack(node()));
    expect(first).toMatchObject({ rule: "hot-function", priority: "low" });
    expect(first!.solution).toContain("JSON.parse and JSON.stringify");
  });

  it.each([
    [
      "a known package",
      node("./node_modules/ajv/dist/ajv.js:compile:9@/srv/shop/node_modules/ajv/dist/ajv.js:9"),
      "mostly in ajv (validation by a schema): build the schema once",
    ],
    [
      "a package of a scope",
      node("./node_modules/@acme/tax/a.js:rate:9@/srv/shop/node_modules/@acme/tax/a.js:9"),
      "mostly in @acme/tax: call it less often",
    ],
    [
      "a package of Python",
      python(`markdown@${site}/markdown/core.py:2`),
      "mostly in markdown (rendering Markdown and highlighted text): render it once",
    ],
    [
      "the standard library of Python",
      python(`quantize@${stdlib}/_pydecimal.py:2`),
      "mostly in _pydecimal (exact decimal numbers): ",
    ],
    [
      "a package of Python by its short path",
      ["<module>@app.py:1", "render@views.py:7", "markdown@markdown/core.py:2"],
      "mostly in markdown (rendering Markdown and highlighted text): render it once",
    ],
    [
      "a part of Node that nobody imports, by its function,",
      node("pipeTo@node:internal/webstreams/readablestream:118"),
      "mostly in pipeTo: call it less often",
    ],
    [
      "calls of itself",
      python(...Array(3).fill("render@/srv/shop/app.py:9")),
      "in recursive calls: keep results",
    ],
  ])("name %s in which most of their time is", (_, stack, title) => {
    const [first] = runRules(subjectOfStack(stack));
    expect(first).toMatchObject({ rule: "hot-function", priority: "low" });
    expect(first!.issue).toContain(title);
  });

  it("are named next to cheaper findings that a rule explains, in the order of their cost", () => {
    const subject = cpuSubject(`
      render@/srv/shop/app.py:7    list@/srv/shop/app.py:20
      info@${stdlib}/logging/__init__.py:2
      60                           940`);
    expect(runRules(subject).map(({ rule }) => rule)).toEqual(["hot-function", "python-logging"]);
  });

  it("are the answer in languages without rules, which is said", () => {
    const subject = cpuSubject(`
      Shop!Cart.Total@Shop:1                 Shop!Cart.Total@Shop:1
      System!Int64.ToString@System.Private.CoreLib:1
      500                                     200`);
    expect(subject.language).toBe("dotnet");
    const [first] = runRules(subject);
    expect(first).toMatchObject({
      rule: "hot-function",
      priority: "medium",
      functions: [{ name: "Shop!Cart.Total" }],
    });
    expect(first!.impact).toContain("Rules exist for Go, Java, Python and Node; this profile is of .NET.");
    expect(first!.codeExample).toBeUndefined();
  });

  it("do not count the time without work", () => {
    const waiting = `
      node:internal/timers:listOnTimeout:5@node:internal/timers:5   (idle)
      ./src/app.js:poll:7@/srv/shop/src/app.js:7
      ${"30000000".padEnd(62)}970000000`;
    const [first] = runRules(drawnSubject("custom", waiting, ["wall/nanoseconds"]));
    expect(first).toMatchObject({ rule: "hot-function", share: 1 });
  });

  it("of locks are named by their waiting time", () => {
    const waits = drawnSubject(
      "mutex",
      `
      Shop!Cart.Total@Shop:1
      Shop!Cart.Lock@Shop:1
      2000000000`,
      ["delay/nanoseconds"],
    );
    expect(runRules(waits)).toMatchObject([
      { rule: "hot-wait", functions: [{ name: "Shop!Cart.Lock" }, {}] },
    ]);
  });
});

describe("the language of a profile", () => {
  it.each([
    ["sdk/pyroscope-io-1.4.0-01.pb.gz", "python"],
    ["sdk/pyroscope-nodejs-0.6.4-cpu-01.pb.gz", "node"],
    ["sdk/pyroscope-nodejs-0.6.4-wall-01.pb.gz", "node"],
    ["go1.26/cpu.pb.gz", "go"],
    ["go1.19/heap.pb.gz", "go"],
  ])("of %s is %s", (file, language) => {
    const read = readProfile(inflatedRecording(file)!);
    if (!read.ok) throw new Error(read.error.message);
    expect(subjectOf(read.profile, profileTypeOf(read.profile)).language).toBe(language);
  });

  it.each([
    ["main.serve", "go"],
    ["shop::cart::total", "unknown"],
    ["core::iter::next@/rustc/abc/library/core/src/iter.rs:1", "rust"],
    ["total@/app/cart.rb:3", "ruby"],
    ["Cart::total@/var/www/cart.php:3", "php"],
    ["java/util/HashMap.get", "java"],
    ["(idle)", "unknown"],
  ])("with only %s is %s", (frame, language) => {
    expect(cpuSubject(`${frame}\n10${" ".repeat(40)}`).language).toBe(language);
  });
});

describe("inFiles", () => {
  it("matches by path and by the last part of the name, of any class and in the spelling of any profiler", () => {
    const match = inFiles("node:fs#*Sync", "json/encoder.py#encode", "#structuredClone");
    expect(match("node:fs:readFileSync:441", "node:fs")).toBe(true);
    expect(match("readFileSync", "node:fs")).toBe(true);
    expect(match("node:fs:readFile:441", "node:fs")).toBe(false);
    expect(match("JSONEncoder.encode", "/usr/lib/python3/json/encoder.py")).toBe(true);
    expect(match("encode", "json\\encoder.py")).toBe(true);
    expect(match("encode", "/srv/myjson/encoder.py")).toBe(false);
    expect(match(":structuredClone:0", "")).toBe(true);
    expect(match("structuredClone", "/srv/a.js")).toBe(false);
  });

  it("matches a whole file or folder where no name is given, at any depth, and only whole parts of the path", () => {
    const match = inFiles("copy.py", "node_modules/lodash/");
    expect(match("anything", "/usr/lib/python3.11/copy.py")).toBe(true);
    expect(match("anything", "copy.py")).toBe(true);
    expect(match("anything", "/srv/deepcopy.py")).toBe(false);
    expect(match("anything", "/srv/shop/node_modules/lodash/lodash.js")).toBe(true);
    expect(match("anything", "/srv/shop/node_modules/lodash.merge/index.js")).toBe(false);
    expect(match("anything", "")).toBe(false);
  });
});
