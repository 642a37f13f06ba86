import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { isFullLength } from "@flamekeep/profile/testing/full-length";
import { beforeAll, describe, expect, test } from "vitest";
import { asRead, codeOf } from "./harness/guide-code.ts";
import { recordedCpuProfile } from "./harness/recordings.ts";
import {
  buildC,
  buildGo,
  buildJava,
  hasTool,
  makeVenv,
  phpWork,
  pythonProgram,
  type Running,
  startForking,
  startNode,
  startPython,
  startRust,
  Workshop,
} from "./harness/run-code.ts";
import { type Account, signUp } from "./harness/sign-up.ts";
import { freePort, root } from "./harness/start-flamekeep.ts";
import { useFlamekeep } from "./harness/use-flamekeep.ts";

const flamekeep = useFlamekeep();
const hasGo = hasTool("go", "version");
const hasPython = hasTool("python3", "-m", "venv", "--help");
const hasNpm = hasTool("npm", "--version");
const hasMaven = hasTool("mvn", "--version") && hasTool("javac", "--version");
const hasCargo = hasTool("cargo", "--version");
const hasPerf = hasTool("gcc", "--version") && hasTool("perf", "record", "-o", "/dev/null", "--", "true");
const hasGperftools = hasGo && hasTool("sh", "-c", "gcc --version && ldconfig -p | grep libprofiler.so.0");
const hasExcimer = hasTool("php", "-r", "exit(extension_loaded('excimer') ? 0 : 1);");
/** Building and running take longest, and most of it is waiting for an SDK to send. */
const timeout = 600_000;
const patienceMs = 120_000;

const goSdk = "docs/guide/send-go-sdk.md";
const goPprof = "docs/guide/send-go-pprof.md";
const python = "docs/guide/send-python.md";
const node = "docs/guide/send-node.md";
const java = "docs/guide/send-java.md";
const rust = "docs/guide/send-rust.md";
const cAndCpp = "docs/guide/send-c-cpp.md";
const php = "docs/guide/send-php.md";
const start = "docs/guide/start.md";
const metrics = "docs/guide/send-http-metrics.md";
const sending = "docs/sending.md";

/** The code of each way of the first page, `Go: SDK`, as the admin of a new organization copies it. */
const tabs = new Map<string, readonly string[]>();
let tabReader: Account;
beforeAll(async () => {
  const { page, account } = await flamekeep.openSignedIn();
  tabReader = account;
  await page.goto("/dashboard");
  await page.getByRole("button", { name: "Create API Key" }).click();
  await page.getByText(/^fk_\w+$/).waitFor();
  for (const language of await page.getByRole("radio").all()) {
    await language.check({ force: true });
    const name = await language.evaluate((radio) => radio.parentElement?.textContent);
    const ways = await page.getByRole("tab").all();
    if (ways.length === 0) tabs.set(`${name}`, await page.locator("pre code").allTextContents());
    for (const way of ways) {
      await way.click();
      const another = page.getByRole("button", { name: "Create Key for Datadog" });
      if (await another.isVisible()) {
        await another.click();
        await page.getByText(/^[0-9a-f]{32}$/).waitFor();
      }
      tabs.set(`${name}: ${await way.textContent()}`, await page.locator("pre code").allTextContents());
    }
  }
});

interface Reader {
  readonly account: Account;
  readonly shop: Workshop;
  /** The port of the reader's program, which the guide writes as 6060 or 8080. */
  readonly port: number;
  /** A block as the reader sees it. */
  block(page: string, at: number): string;
  filled(code: string): string;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A person with a new organization who follows a page of the guide. */
async function reader(programPort?: number): Promise<Reader> {
  const account = await signUp(flamekeep.url);
  const shop = new Workshop({ FLAMEKEEP_KEY: account.key });
  const port = programPort ?? (await freePort());
  const filled = (code: string) =>
    asRead(code, { url: flamekeep.url, key: account.key, ports: { 6060: port, 8080: port } });
  return {
    account,
    shop,
    port,
    filled,
    block: (page, at) => filled(codeOf(page, at)),
    [Symbol.asyncDispose]: () => shop[Symbol.asyncDispose](),
  };
}

async function get(account: Account, path: string) {
  const reply = await fetch(`${flamekeep.url}/api/v1/protected/${path}`, { headers: account.headers });
  expect(reply.status, `${path}: ${await reply.clone().text()}`).toBe(200);
  return reply.json();
}

/** Tests that run at the same time cannot use `expect.poll`. */
async function until(look: () => Promise<boolean>, describeState: () => string): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (!(await look())) {
    if (performance.now() > deadline) throw new Error(describeState());
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

/** Waits until the service has a profile of the type with the function in it. */
async function arrival(
  account: Account,
  type: string,
  functionName: string,
  program?: Running,
  service = "checkout",
): Promise<void> {
  await until(
    async () => {
      const { root: tree } = await get(account, `flamegraph/service/${service}/${type}?since=1h`);
      return JSON.stringify(tree).includes(functionName);
    },
    () => `no ${functionName} in ${type} of ${service}; the program wrote: ${program?.output()}`,
  );
}

async function typesArrive(person: Reader, types: readonly string[]): Promise<void> {
  let seen: readonly string[] = [];
  await until(
    async () => {
      seen = await typesOf(person);
      return types.every((type) => seen.includes(type));
    },
    () => `only ${seen} arrived of ${types}`,
  );
}

async function typesOf({ account }: Reader): Promise<string[]> {
  const { profiles } = await get(account, "profiles?since=3660d&limit=100");
  return [...new Set<string>(profiles.map(({ type }: { type: string }) => type))].sort();
}

/** Asks a server that forks its workers until profiles of two of them arrived. */
async function forkingArrives(
  { account, shop, port }: Reader,
  server: Parameters<typeof startForking>[1],
): Promise<void> {
  const program = await startForking(shop, server);
  const instances = new Set<string>();
  await until(
    async () => {
      await fetch(`http://localhost:${port}/`).catch(() => undefined);
      const { profiles } = await get(account, "profiles?since=1h&limit=100");
      for (const { tags } of profiles) instances.add(tags.instance);
      return instances.size === 2 || program.hasEnded();
    },
    () => `only ${[...instances]} sent; the program wrote: ${program.output()}`,
  );
  await arrival(account, "cpu", "hash_prices", program);
}

/** On a busy machine one upload of a short program may take longer than the program waits for it. */
function startAgainAndAgain(shop: Workshop, command: string): Running {
  return shop.start("bash", ["-c", `while true; do ${command}; done`]);
}

/** Waits until the program listens and, if it serves net/http/pprof, works. */
async function untilListening(port: number, program: Running): Promise<void> {
  const hasBegun = async (path: string) => {
    const reply = await fetch(`http://localhost:${port}${path}`).catch(() => undefined);
    const text = await reply?.text();
    return program.hasEnded() || (reply !== undefined && (!reply.ok || /main\./.test(text ?? "")));
  };
  await until(() => hasBegun("/debug/pprof/goroutine?debug=1"), program.output);
  expect(program.hasEnded(), program.output()).toBe(false);
}

/** Waits until both profiles of locks have something in them. */
async function untilLocked(port: number): Promise<void> {
  for (const type of ["mutex", "block"]) {
    const url = `http://localhost:${port}/debug/pprof/${type}?debug=1`;
    await until(
      async () => /main\./.test(await (await fetch(url)).text()),
      () => `no locks in ${url}`,
    );
  }
}

// Programs that send in the same way, and the pages that have the same code: one of each runs. At full length all do.

describe.concurrent("the code of the guide, as it is written, sends profiles from", { timeout }, () => {
  test.skipIf(!hasCargo || !isFullLength)("Rust", async () => {
    await using person = await reader();
    const program = await startRust(person.shop, {
      name: "checkout",
      install: person.block(rust, 0),
      code: person.block(rust, 1),
    });
    await arrival(person.account, "cpu", "hash_prices", program);
  });

  test.skipIf(!hasGo || !isFullLength)("Go with the SDK", async () => {
    await using person = await reader();
    const { shop, account } = person;
    const binary = await buildGo(shop, { install: person.block(goSdk, 0), main: person.block(goSdk, 1) });
    await arrival(account, "cpu", "main.hashPrices", shop.start(binary));
  });

  test.skipIf(!hasGo)("Go with the SDK and all types of profiles", async () => {
    await using person = await reader();
    const { shop, account } = person;
    const binary = await buildGo(shop, { install: person.block(goSdk, 0), main: person.block(goSdk, 2) });
    const program = shop.start(binary);
    await arrival(account, "cpu", "main.hashPrices", program);
    await arrival(account, "block", "main.work", program);
    await arrival(account, "memory", "main.work", program);
    await typesArrive(person, ["block", "cpu", "goroutine", "memory"]);
  });

  test.skipIf(!hasGo || !isFullLength)(
    "a Go program that serves net/http/pprof: the first profile",
    async () => {
      await using person = await reader();
      const { shop, account, port } = person;
      const program = shop.start(await buildGo(shop, { main: person.block(start, 0) }));
      await untilListening(port, program);
      expect(await shop.shell(person.block(start, 1))).toContain('"profile_id"');
      await arrival(account, "cpu", "main.hashPrices", program);
      // The README has the same commands.
      expect(await shop.shell(person.block("README.md", 2))).toContain('"profile_id"');
    },
  );

  test.skipIf(!hasGo || !isFullLength)(
    "a Go program that serves net/http/pprof: continuously, in two ways",
    async () => {
      await using person = await reader();
      const { shop, account, port } = person;
      const program = shop.start(await buildGo(shop, { main: person.block(goPprof, 1) }));
      await untilListening(port, program);
      await untilLocked(port);
      const loop = shop.start("bash", ["-c", person.block(goPprof, 0)]);
      await using other = await reader(port);
      other.shop.start("bash", ["-c", other.block(sending, 3)]);
      await typesArrive(other, ["block", "goroutine", "memory", "mutex"]);
      await arrival(account, "cpu", "main.hashPrices", loop);
      await typesArrive(person, ["block", "cpu", "goroutine", "memory", "mutex"]);
    },
  );

  test.skipIf(!hasPython || !isFullLength)("Python", async () => {
    await using person = await reader();
    const program = await startPython(person.shop, person.block(python, 0), person.block(python, 1));
    await arrival(person.account, "cpu", "hash_prices", program);
  });

  test.skipIf(!hasPython)("Python with memory", async () => {
    await using person = await reader();
    const program = await startPython(person.shop, person.block(python, 0), person.block(python, 2));
    await arrival(person.account, "cpu", "hash_prices", program);
    await arrival(person.account, "memory", "checkout.py", program);
  });

  test.skipIf(!hasPython || !isFullLength)("Python with the older SDK", async () => {
    await using person = await reader();
    const program = await startPython(person.shop, person.block(python, 3), person.block(python, 1));
    await arrival(person.account, "cpu", "hash_prices", program);
  });

  test.skipIf(!hasPython || !isFullLength)("gunicorn's workers", async () => {
    await using person = await reader();
    const { shop, port } = person;
    shop.write("gunicorn.conf.py", person.block(python, 4));
    await forkingArrives(person, {
      install: `${person.block(python, 0)} gunicorn==27.0.1`,
      command: `gunicorn --workers 2 --bind localhost:${port} checkout:application`,
    });
  });

  test.skipIf(!hasPython || !isFullLength)("uWSGI's workers", async () => {
    await using person = await reader();
    await forkingArrives(person, {
      install: `${person.block(python, 0)} uwsgi==2.0.31`,
      module: person.block(python, 5),
      command: `uwsgi --master --processes 2 --http-socket localhost:${person.port} --wsgi-file checkout.py`,
    });
  });

  test.skipIf(!hasPerf)("a C program by perf", async () => {
    await using person = await reader();
    await buildC(person.shop);
    const block = person.block(cAndCpp, 0).replace("sleep 10", "sleep 3");
    const output = await person.shop.shell(`./checkout &\nPID=$!\n${block}\nkill $PID`);
    expect(output).toContain('"type":"cpu"');
    await arrival(person.account, "cpu", "hash_prices");
  });

  test.skipIf(!hasGperftools || !isFullLength)("a C program by gperftools", async () => {
    await using person = await reader();
    await buildC(person.shop);
    const output = await person.shop.shell(person.block(cAndCpp, 1), { WORK_SECONDS: "3" });
    expect(output).toContain('"type":"cpu"');
    await arrival(person.account, "cpu", "hash_prices");
  });

  test.skipIf(!hasExcimer || !isFullLength)("PHP", async () => {
    await using person = await reader();
    person.shop.write("profile.php", person.block(php, 0));
    person.shop.write("checkout.php", phpWork);
    const program = startAgainAndAgain(person.shop, person.block(php, 1));
    await arrival(person.account, "cpu", "hash_prices", program);
  });

  test.skipIf(!hasNpm || !isFullLength)("Node", async () => {
    await using person = await reader();
    const program = await startNode(person.shop, person.block(node, 0), { code: person.block(node, 1) });
    await arrival(person.account, "cpu", "hashPrices", program);
  });

  test.skipIf(!hasNpm || !isFullLength)("Node with a slash at the end of the address", async () => {
    await using person = await reader();
    const code = person.block(node, 1).replace(flamekeep.url, `${flamekeep.url}/`);
    expect(code).toContain(`"${flamekeep.url}/"`);
    const program = await startNode(person.shop, person.block(node, 0), { code });
    await arrival(person.account, "cpu", "hashPrices", program);
  });

  test.skipIf(!hasMaven)("Java", async () => {
    await using person = await reader();
    const { account, shop } = person;
    await buildJava(shop);
    await shop.shell(person.block(java, 0));
    const program = shop.start("bash", ["-c", person.block(java, 1)]);
    await arrival(account, "cpu", "Checkout.hashPrices", program);
    await arrival(account, "memory", "Checkout.main", program);
  });

  test.skipIf(!hasMaven || !isFullLength)("a recording of Java", async () => {
    await using person = await reader();
    const { account, shop } = person;
    await buildJava(shop);
    const output = await shop.shell(person.block(java, 2), { WORK_SECONDS: "3" });
    expect(output).toContain('"type":"cpu"');
    await arrival(account, "cpu", "Checkout.hashPrices");
    expect(await typesOf(person)).toContain("memory");
  });

  test("a file, and one of an endpoint whose counters are differences", async () => {
    await using person = await reader();
    const { shop, port } = person;
    writeFileSync(join(shop.folder, "cpu.pb.gz"), recordedCpuProfile().body);
    const reply = JSON.parse(
      await shop.shell(person.block(sending, 0)).then((text) => text.slice(text.indexOf("{"))),
    );
    expect(Object.keys(reply).sort()).toEqual(Object.keys(JSON.parse(codeOf(sending, 1))).sort());
    expect(await typesOf(person)).toEqual(["cpu"]);
    const heap = readFileSync(`${root}examples/recordings/sdk/pyroscope-go-1.4.3-04.pb.gz`);
    const endpoint = createServer((_request, response) => response.end(heap));
    await once(endpoint.listen(port, "localhost"), "listening");
    try {
      expect(await shop.shell(person.block(sending, 2))).toContain('"type":"memory"');
    } finally {
      endpoint.close();
    }
    expect(await typesOf(person)).toEqual(["cpu", "memory"]);
  });

  test("a form of several files", async () => {
    await using person = await reader();
    const { shop } = person;
    writeFileSync(join(shop.folder, "cpu.pb.gz"), recordedCpuProfile().body);
    shop.write("mutex.pprof", "<html>");
    shop.write("stacks.folded", "main;serve 3\n");
    const reply = JSON.parse(
      await shop.shell(person.block(sending, 4)).then((text) => text.slice(text.indexOf("{"))),
    );
    const described = JSON.parse(codeOf(sending, 5));
    expect(Object.keys(reply).sort()).toEqual(Object.keys(described).sort());
    expect(reply).toMatchObject({
      accepted: 2,
      refused: 1,
      files: [{ file: "cpu.pb.gz" }, { code: "invalid" }, {}],
    });
  });

  test.each([
    [metrics, 0],
    [sending, 6],
  ])("HTTP metrics by curl: %s", async (page, at) => {
    await using person = await reader();
    expect(await person.shop.shell(person.block(page, at))).toContain('"accepted":1');
    const { paths } = await get(person.account, "http-metrics/paths?since=1h");
    expect(JSON.stringify(paths)).toContain("/orders/{id}");
  });

  test.skipIf(!hasGo)("HTTP metrics from a Go handler", async () => {
    await using person = await reader();
    const { shop, account, port } = person;
    await shop.shell("go mod init checkout");
    shop.write("main.go", person.block(metrics, 1));
    await shop.shell("go build -o checkout .");
    const program = shop.start(join(shop.folder, "checkout"));
    await untilListening(port, program);
    expect(await (await fetch(`http://localhost:${port}/orders/7`)).text()).toBe("order 7");
    const paths = async () => JSON.stringify(await get(account, "http-metrics/paths?since=1h"));
    await until(async () => (await paths()).includes("/orders/{id}"), program.output);
  });
});

describe.concurrent("the code of the first page, with key, server and service filled in, sends from", {
  timeout,
}, () => {
  function tabOf(label: string, person: Reader): string[] {
    const parts = tabs.get(label);
    expect(parts, label).toBeDefined();
    // Each sender has a separate service, because all use the key of one organization.
    return parts!.map((code) =>
      person.filled(code).replace(/(["=])checkout(?![\w.])/g, `$1${serviceOf(label)}`),
    );
  }
  const serviceOf = (label: string) => label.toLowerCase().replace(/[^a-z]+/g, "-");

  async function arrived(label: string, functionName: string, program: Running) {
    await until(
      async () => {
        const { root: tree } = await get(tabReader, `flamegraph/service/${serviceOf(label)}/cpu?since=1h`);
        return JSON.stringify(tree).includes(functionName);
      },
      () => `nothing arrived from ${label}; it wrote: ${program.output()}`,
    );
  }

  test.skipIf(!hasGo)("Go net/http/pprof and curl", async () => {
    await using person = await reader();
    const { shop, port } = person;
    const [main = "", loop = ""] = tabOf("Go: net/http/pprof", person);
    const program = shop.start(await buildGo(shop, { main }));
    await untilListening(port, program);
    const [curl = ""] = tabOf("Other", person);
    expect(await shop.shell(curl)).toContain('"profile_id"');
    await arrived("Other", "main.hashPrices", program);
    await arrived("Go: net/http/pprof", "main.hashPrices", shop.start("bash", ["-c", loop]));
  });

  test.skipIf(!hasGo || !isFullLength)("Go SDK", async () => {
    await using person = await reader();
    const [install = "", main = ""] = tabOf("Go: SDK", person);
    const program = person.shop.start(await buildGo(person.shop, { install, main }));
    await arrived("Go: SDK", "main.hashPrices", program);
  });

  test.skipIf(!hasGo || !isFullLength)("Go with Datadog's library", async () => {
    await using person = await reader();
    const [install = "", main = "", start = ""] = tabOf("Go: Datadog", person);
    await buildGo(person.shop, { install, main });
    await arrived("Go: Datadog", "main.hashPrices", person.shop.start("bash", ["-c", start]));
  });

  test.skipIf(!hasPython || !isFullLength)("Python with Datadog's library", async () => {
    await using person = await reader();
    const { shop } = person;
    const [install = "", start = ""] = tabOf("Python: Datadog", person);
    await makeVenv(shop);
    await shop.shell(`venv/bin/${install}`);
    shop.write("checkout.py", pythonProgram);
    const program = shop.start("bash", ["-c", `export PATH=venv/bin:$PATH\n${start}`]);
    await arrived("Python: Datadog", "hash_prices", program);
  });

  test.skipIf(!hasMaven || !isFullLength)("Java with Datadog's agent", async () => {
    await using person = await reader();
    const { shop } = person;
    await buildJava(shop);
    const [install = "", start = ""] = tabOf("Java: Datadog", person);
    await shop.shell(install);
    const program = shop.start("bash", ["-c", `export DD_PROFILING_UPLOAD_PERIOD=10\n${start}`]);
    await arrived("Java: Datadog", "Checkout.hashPrices", program);
  });

  test.skipIf(!hasNpm || !isFullLength)("Node with Datadog's library", async () => {
    await using person = await reader();
    const { shop, port } = person;
    const [install = "", code = "", proxy = "", startProxy = "", start = ""] = tabOf("Node: Datadog", person);
    shop.write("proxy.mjs", proxy.replace("8126", `${port}`));
    const through = shop.start("bash", ["-c", startProxy]);
    const program = await startNode(shop, install, {
      code,
      command: `export DD_TRACE_AGENT_PORT=${port} DD_PROFILING_UPLOAD_PERIOD=2\n${start}`,
    });
    await arrived("Node: Datadog", "hashPrices", program);
    expect(through.output()).toBe("");
  });

  test.skipIf(!hasPython || !isFullLength)("Python", async () => {
    await using person = await reader();
    const [install = "", code = ""] = tabOf("Python: SDK", person);
    await arrived("Python: SDK", "hash_prices", await startPython(person.shop, install, code));
  });

  test.skipIf(!hasNpm)("Node", async () => {
    await using person = await reader();
    const [install = "", code = ""] = tabOf("Node: SDK", person);
    await arrived("Node: SDK", "hashPrices", await startNode(person.shop, install, { code }));
  });

  test.skipIf(!hasCargo || !isFullLength)("Rust", async () => {
    await using person = await reader();
    const [install = "", code = ""] = tabOf("Rust", person);
    await arrived("Rust", "hash_prices", await startRust(person.shop, { name: "first-page", install, code }));
  });

  test.skipIf(!hasMaven || !isFullLength)("Java", async () => {
    await using person = await reader();
    await buildJava(person.shop);
    const [install = "", start = ""] = tabOf("Java: Agent", person);
    await person.shop.shell(install);
    await arrived("Java: Agent", "Checkout.hashPrices", person.shop.start("bash", ["-c", start]));
  });

  test.skipIf(!hasExcimer)("PHP", async () => {
    await using person = await reader();
    const [profile = "", start = ""] = tabOf("PHP", person);
    person.shop.write("profile.php", profile);
    person.shop.write("checkout.php", phpWork);
    await arrived("PHP", "hash_prices", startAgainAndAgain(person.shop, start));
  });

  test.skipIf(!hasGperftools)("C", async () => {
    await using person = await reader();
    await buildC(person.shop);
    const [code = ""] = tabOf("C, C++: gperftools", person);
    await arrived(
      "C, C++: gperftools",
      "hash_prices",
      person.shop.start("bash", ["-c", `export WORK_SECONDS=3\n${code}`]),
    );
  });

  test("no other language", () => {
    expect([...tabs.keys()]).toEqual([
      ...["Go: SDK", "Go: net/http/pprof", "Go: Datadog", "Java: Agent", "Java: Recording", "Java: Datadog"],
      ...[
        "Python: SDK",
        "Python: gunicorn",
        "Python: uWSGI",
        "Python: Datadog",
        "Node: SDK",
        "Node: Datadog",
        "Ruby",
        "Rust",
        ".NET",
        "PHP",
      ],
      ...[
        "C, C++: perf",
        "C, C++: gperftools",
        "OpenTelemetry: Collector",
        "OpenTelemetry: eBPF on Kubernetes",
      ],
      "Other",
    ]);
  });
});

describe.concurrent("an example service sends profiles and HTTP metrics from", { timeout }, () => {
  for (const [language, hasTools, functionName] of [
    ["go", hasGo, "main.hashPrices"],
    ["java", hasMaven, "Service.hashPrices"],
    ["node", hasNpm, "hashPrices"],
    ["python", hasPython, "hash_prices"],
  ] as const) {
    test.skipIf(!hasTools || !isFullLength)(language, async () => {
      await using person = await reader();
      const { shop, account, port } = person;
      const settings = `FLAMEKEEP_URL=${flamekeep.url} PORT=${port} BUILD_FOLDER=${shop.folder}`;
      const program = shop.start("bash", ["-c", `${settings} ${root}examples/services/run.sh ${language}`]);
      const service = `checkout-${language}`;
      await arrival(account, "cpu", functionName, program, service);
      const paths = async () => JSON.stringify(await get(account, "http-metrics/paths?since=1h"));
      await until(async () => {
        const text = await paths();
        return text.includes(service) && text.includes("/orders/{id}");
      }, program.output);
    });
  }
});
