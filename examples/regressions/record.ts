// Records the services with each of their switches off and on. Arguments: languages; without any, all.
// Java and Python run with the libraries that examples/labelled/record.ts has installed.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { capture, untilCaptured } from "#recordings/capture.ts";
import { filesIn } from "#recordings/profiles-in.ts";
import { run, untilAnswering, whileRunning, workplace } from "#recordings/workplace.ts";

type Language = "go" | "java" | "python";

interface ServiceWithSwitches {
  readonly service: string;
  readonly language: Language;
  readonly switches: readonly { readonly id: string }[];
}

const folder = fileURLToPath(new URL("./", import.meta.url));
const built = `${workplace}/regressions`;
const libraries = `${workplace}/labelled`;
const requestsPerSecond = 25;
const concurrentRequests = 4;
const warmUpMs = 3000;
const ports: Readonly<Record<Language, number>> = { go: 6080, java: 6081, python: 6082 };

const services: ServiceWithSwitches[] = JSON.parse(readFileSync(`${folder}manifest.json`, "utf8"));
for (const service of services.filter(
  (one) => process.argv.length < 3 || process.argv.includes(one.language),
)) {
  build(service.language);
  for (const id of ["off", ...service.switches.map((one) => one.id)]) await record(service, id);
}

function build(language: Language): void {
  const to = `${built}/${language}`;
  cpSync(`${folder}${language}`, to, { recursive: true });
  if (language === "go")
    run(to, { CGO_ENABLED: "0" }, "go", "build", "-trimpath", "-buildvcs=false", "-o", "checkout", ".");
  if (language === "java") run(to, {}, "javac", "-g", "-d", "classes", "Warehouse.java");
}

function commandOf(language: Language): readonly [string, ...string[]] {
  const to = `${built}/${language}`;
  if (language === "go") return [`${to}/checkout`];
  if (language === "python") return [`${libraries}/python/venv/bin/python`, `${to}/billing.py`];
  const agent = `${libraries}/java/lib/agent-2.9.2.jar`;
  return ["java", "-Xmx512m", `-javaagent:${agent}`, "-cp", `${to}/classes`, "Warehouse"];
}

async function record({ service, language }: ServiceWithSwitches, id: string): Promise<void> {
  const address = `http://127.0.0.1:${ports[language]}`;
  const environment = {
    ...(id !== "off" && { SLOW: id }),
    PORT: String(ports[language]),
    SERVICE: service,
    PYTHONPATH: `${libraries}/python`,
    PYROSCOPE_APPLICATION_NAME: service,
    PYROSCOPE_UPLOAD_INTERVAL: "20s",
    PYROSCOPE_PROFILER_EVENT: "itimer",
    PYROSCOPE_PROFILING_INTERVAL: "2ms",
  };
  let profile: Uint8Array | undefined;
  await capture(0, async (url, arrived) => {
    const addresses = { PYROSCOPE_ADDRESS: url, PYROSCOPE_SERVER_ADDRESS: url };
    await whileRunning({ ...environment, ...addresses }, commandOf(language), async () => {
      await untilAnswering(`${address}/orders/1`);
      const stopped = new AbortController();
      const load = request(address, stopped.signal);
      await wait(warmUpMs);
      if (language === "go") {
        profile = await (await fetch(`${address}/debug/pprof/profile?seconds=12`)).bytes();
      } else {
        await untilCaptured(arrived, arrived.length + 2);
        profile = (await filesIn(arrived.at(-1)!))[0];
      }
      stopped.abort();
      await load;
    });
  });
  store(`recorded/${service}/${id}.gz`, profile!);
}

/** At a constant rate, so that a regression makes the service use more CPU; a service that cannot keep up gets no backlog. */
async function request(address: string, stopped: AbortSignal): Promise<void> {
  let pending = 0;
  for (let n = 1; !stopped.aborted; n++) {
    if (pending < concurrentRequests) {
      pending++;
      const reply = fetch(`${address}/orders/${n}`, { signal: stopped }).then((one) => one.bytes());
      const finished = () => pending--;
      reply.then(finished, finished);
    }
    await wait(1000 / requestsPerSecond);
  }
}

function store(path: string, profile: Uint8Array): void {
  const isGzip = profile[0] === 0x1f && profile[1] === 0x8b;
  const bytes = isGzip ? profile : gzipSync(profile, { level: 9 });
  mkdirSync(dirname(`${folder}${path}`), { recursive: true });
  writeFileSync(`${folder}${path}`, bytes);
  console.info(`${path}: ${bytes.length} bytes`);
}
