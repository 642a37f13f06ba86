// Records the profiles of the services in java/, node/ and python/. Arguments: languages, or services as java/quotes; without any, all.
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { type CapturedRequest, capture, untilCaptured } from "#recordings/capture.ts";
import { filesIn } from "#recordings/profiles-in.ts";
import { run, untilAnswering, whileRunning, workplace } from "#recordings/workplace.ts";

type Language = "java" | "node" | "python";

/** A service of the manifest, as far as recording needs it. */
interface LabelledService {
  readonly id: string;
  readonly language: Language;
  readonly type: string;
  /** Paths that are asked for in turn; `{n}` is a number that grows. */
  readonly requests: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

const folder = fileURLToPath(new URL("./", import.meta.url));
const built = `${workplace}/labelled`;
const concurrentRequests = 3;
const warmUpMs = Number(process.env.WARM_UP_MS ?? 5000);
/** Two services at a time: one for each core. */
const concurrentServices = 2;

const services: LabelledService[] = JSON.parse(readFileSync(`${folder}manifest.json`, "utf8"));
const wanted = process.argv.slice(2);
const nameOf = ({ language, id }: LabelledService) => `${language}/${id}`;
const names = new Set(services.flatMap((service) => [service.language, nameOf(service)]));
const missing = wanted.filter((name) => !names.has(name));
if (missing.length > 0) throw new Error(`not in the manifest: ${missing.join(", ")}`);
const chosen = services.filter(
  (service) => wanted.length === 0 || wanted.includes(service.language) || wanted.includes(nameOf(service)),
);

for (const language of new Set(chosen.map((service) => service.language))) build(language);
let next = 0;
const failed: string[] = [];
await Promise.all(
  Array.from({ length: concurrentServices }, async (_, lane) => {
    while (next < chosen.length) {
      const service = chosen[next++]!;
      await record(service, 6070 + lane).catch((error) => failed.push(`${nameOf(service)}: ${error}`));
    }
  }),
);
if (failed.length > 0) throw new Error(failed.join("\n"));

/** Installs the libraries once. */
function build(language: Language): void {
  const to = `${built}/${language}`;
  cpSync(`${folder}${language}`, to, { recursive: true });
  if (language === "java") {
    if (!existsSync(`${to}/lib`))
      run(to, {}, "mvn", "-q", "dependency:copy-dependencies", "-DoutputDirectory=lib");
    run(to, {}, "bash", "-c", "javac -g -parameters -nowarn -cp 'lib/*' -d classes *.java");
  } else if (language === "node") {
    if (!existsSync(`${to}/node_modules`)) run(to, {}, "npm", "install", "--no-audit", "--no-fund");
  } else if (!existsSync(`${to}/venv`)) {
    run(to, {}, "/usr/bin/python3", "-m", "venv", "venv");
    run(to, {}, "venv/bin/pip", "install", "-q", "-r", "requirements.txt");
  }
}

function commandOf({ id, language }: LabelledService): readonly [string, ...string[]] {
  const to = `${built}/${language}`;
  if (language === "python") return [`${to}/venv/bin/python`, `${to}/${id}.py`];
  if (language === "node") return ["node", "--import", `${to}/profiling.js`, `${to}/${id}.js`];
  const classes = `${to}:${to}/classes:${to}/lib/*`;
  const main = id.replace(/(^|-)(.)/g, (_all, _dash, letter: string) => letter.toUpperCase());
  return ["java", "-Xmx512m", `-javaagent:${to}/lib/agent-2.9.2.jar`, "-cp", classes, main];
}

/** Stores the first profile that begins after the service has answered for some seconds: classes are loaded, hot code is compiled. */
async function record(service: LabelledService, port: number): Promise<void> {
  const environment = {
    PORT: String(port),
    SERVICE: service.id,
    PROFILE: service.type,
    PYTHONPATH: `${built}/python`,
    PYROSCOPE_APPLICATION_NAME: service.id,
    PYROSCOPE_UPLOAD_INTERVAL: "20s",
    PYROSCOPE_PROFILER_EVENT: "itimer",
    PYROSCOPE_PROFILING_INTERVAL: "1ms",
    ...service.environment,
    ...(service.type === "memory" && { PYROSCOPE_PROFILER_ALLOC: "256k" }),
    ...(service.type === "mutex" && { PYROSCOPE_PROFILER_LOCK: "100us" }),
  };
  const captured = await capture(0, async (url, arrived) => {
    const addresses = { PYROSCOPE_ADDRESS: url, PYROSCOPE_SERVER_ADDRESS: url };
    await whileRunning({ ...environment, ...addresses }, commandOf(service), async () => {
      const address = `http://127.0.0.1:${port}`;
      await untilAnswering(`${address}${service.requests[0]!.replaceAll("{n}", "1")}`);
      const stopped = new AbortController();
      const load = Array.from({ length: concurrentRequests }, (_, worker) =>
        request(address, service, worker, stopped.signal),
      );
      await wait(warmUpMs);
      await untilCaptured(arrived, arrived.length + 2);
      stopped.abort();
      await Promise.all(load);
    });
  });
  await store(service, captured.at(-1)!);
}

async function request(
  address: string,
  { requests }: LabelledService,
  worker: number,
  stopped: AbortSignal,
): Promise<void> {
  for (let n = worker + 1; !stopped.aborted; n += concurrentRequests) {
    const path = requests[Math.floor(n / concurrentRequests) % requests.length]!;
    const reply = await fetch(`${address}${path.replaceAll("{n}", String(n))}`);
    const body = await reply.text();
    if (reply.status >= 500) throw new Error(`${path}: ${reply.status} ${body}`);
  }
}

async function store(service: LabelledService, captured: CapturedRequest): Promise<void> {
  const [profile] = await filesIn(captured);
  const isGzip = profile![0] === 0x1f && profile![1] === 0x8b;
  const bytes = isGzip ? profile! : gzipSync(profile!, { level: 9 });
  const path = `${folder}recorded/${service.language}`;
  mkdirSync(path, { recursive: true });
  writeFileSync(`${path}/${service.id}.gz`, bytes);
  console.info(`${nameOf(service)}: ${bytes.length} bytes`);
}
