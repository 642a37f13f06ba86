import { cpSync } from "node:fs";

import { type CapturedRequest, capture, untilCaptured } from "./capture.ts";
import { filesIn } from "./profiles-in.ts";
import { port, recordings, run, store, whileRunning, workplace } from "./workplace.ts";

interface Sdk {
  /** Folder of the stored requests: the SDK and its version. */
  readonly name: string;
  readonly requests: number;
  readonly environment?: Readonly<Record<string, string>>;
  /** Installs the program in its folder of the workplace. */
  readonly install: (folder: string) => void;
  readonly command: (folder: string) => readonly [string, ...string[]];
}

const addressVariables = [
  "ADDRESS",
  "PYROSCOPE_SERVER_ADDRESS",
  "DD_TRACE_AGENT_URL",
  "OTEL_EXPORTER_OTLP_ENDPOINT",
];
const sources = `${recordings}programs`;

const go: Sdk = {
  name: "pyroscope-go-1.4.3",
  requests: 10,
  install: (folder) => {
    const environment = { GOFLAGS: "-trimpath -buildvcs=false" };
    run(`${sources}/go-sdk`, environment, "go", "build", "-o", `${folder}/kiosk`, ".");
  },
  command: (folder) => [`${folder}/kiosk`],
};

const datadogGo: Sdk = {
  name: "dd-trace-go-2.12.0",
  requests: 2,
  environment: {
    DD_PROFILING_EXECUTION_TRACE_ENABLED: "false",
    DD_INSTRUMENTATION_TELEMETRY_ENABLED: "false",
    DD_HOSTNAME: "kiosk-1",
  },
  install: (folder) => {
    const environment = { GOFLAGS: "-trimpath -buildvcs=false" };
    run(`${sources}/go-datadog`, environment, "go", "build", "-o", `${folder}/kiosk`, ".");
  },
  command: (folder) => [`${folder}/kiosk`],
};

const node = (mode: string): Sdk => ({
  name: `pyroscope-nodejs-0.6.4-${mode}`,
  requests: 3,
  environment: { MODE: mode },
  install: (folder) => {
    cpSync(`${sources}/node`, folder, { recursive: true });
    run(folder, {}, "npm", "install", "--no-audit", "--no-fund");
  },
  command: (folder) => ["node", `${folder}/kiosk.js`],
});

const datadogNode: Sdk = {
  name: "dd-trace-js-6.21.0",
  requests: 1,
  environment: {
    DD_PROFILING_UPLOAD_PERIOD: "5",
    DD_INSTRUMENTATION_TELEMETRY_ENABLED: "false",
    DD_REMOTE_CONFIGURATION_ENABLED: "false",
  },
  install: (folder) => {
    cpSync(`${sources}/node-datadog`, folder, { recursive: true });
    run(folder, {}, "npm", "install", "--no-audit", "--no-fund");
  },
  command: (folder) => ["node", `${folder}/kiosk.js`],
};

const java: Sdk = {
  name: "pyroscope-java-2.9.2",
  requests: 1,
  environment: {
    PYROSCOPE_APPLICATION_NAME: "kiosk",
    PYROSCOPE_LABELS: "region=eu,version=1.2.3",
    PYROSCOPE_UPLOAD_INTERVAL: "5s",
    PYROSCOPE_PROFILER_EVENT: "itimer",
    PYROSCOPE_PROFILER_ALLOC: "2m",
    PYROSCOPE_PROFILER_LOCK: "1ms",
  },
  install: (folder) => {
    const artifact = "-Dartifact=io.pyroscope:agent:2.9.2";
    run(folder, {}, "mvn", "-q", "dependency:copy", artifact, "-DoutputDirectory=.", "-Dmdep.stripVersion");
    run(folder, {}, "javac", "-cp", "agent.jar", "-d", ".", `${sources}/java/Kiosk.java`);
  },
  command: (folder) => [
    "java",
    `-javaagent:${folder}/agent.jar`,
    "-cp",
    `${folder}:${folder}/agent.jar`,
    "Kiosk",
  ],
};

function pythonOf(name: string, program: string): Sdk {
  return {
    name,
    requests: 1,
    install: (folder) => {
      cpSync(`${sources}/${program}`, folder, { recursive: true });
      const to = ["--target", `${folder}/lib`, "-r", "requirements.txt"];
      run(folder, {}, "pip", "install", "-q", "--upgrade", ...to);
    },
    environment: { PYTHONPATH: `${workplace}/${name}/lib` },
    command: (folder) => ["/usr/bin/python3", `${folder}/kiosk.py`],
  };
}

const python = pythonOf("pyroscope-io-1.4.0", "python");

const otelGo: Sdk = {
  name: "opentelemetry-go-1.47.0",
  requests: 1,
  environment: { OTEL_SERVICE_NAME: "kiosk", OTEL_EXPORTER_OTLP_COMPRESSION: "gzip" },
  install: (folder) => {
    const environment = { GOFLAGS: "-trimpath -buildvcs=false", CGO_ENABLED: "0" };
    run(`${sources}/go-otel`, environment, "go", "build", "-o", `${folder}/kiosk`, ".");
  },
  command: (folder) => [`${folder}/kiosk`],
};

const otelPython = pythonOf("opentelemetry-python-1.45.1", "python-otel");

const pythonMetrics = pythonOf("opentelemetry-python-1.45.1-metrics", "python-otel-metrics");
const otelPythonMetrics: Sdk = {
  ...pythonMetrics,
  requests: 3,
  environment: {
    ...pythonMetrics.environment,
    OTEL_SERVICE_NAME: "kiosk",
    OTEL_SEMCONV_STABILITY_OPT_IN: "http",
    OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
  },
};

/** Stores each request and every profile in it. */
export async function recordSdks(): Promise<void> {
  const pyroscope = [go, node("cpu"), node("wall"), python, java];
  for (const sdk of [...pyroscope, datadogGo, datadogNode, otelGo, otelPython, otelPythonMetrics]) {
    const folder = `${workplace}/${sdk.name}`;
    sdk.install(folder);
    const requests = await capture(port, (url, arrived) =>
      whileRunning(
        { ...Object.fromEntries(addressVariables.map((name) => [name, url])), ...sdk.environment },
        sdk.command(folder),
        () => untilCaptured(arrived, sdk.requests),
      ),
    );
    for (const [i, request] of requests.slice(0, sdk.requests).entries())
      await storeRequest(sdk.name, String(i + 1).padStart(2, "0"), request);
  }
}

async function storeRequest(folder: string, number: string, request: CapturedRequest): Promise<void> {
  const json = { ...request, body: request.body.toString("base64") };
  store(`requests/${folder}/${number}.json`, `${JSON.stringify(json, null, 2)}\n`);
  // Java's agent sends JFR, which is not pprof. Datadog's libraries send several profiles with zstd, OpenTelemetry's spans and metrics.
  if (request.url.endsWith("format=jfr") || /^\/(profiling|v1)\//.test(request.url)) return;
  for (const [i, file] of (await filesIn(request)).entries()) {
    const name = `sdk/${folder}-${number}${i === 0 ? "" : `-${i + 1}`}`;
    store(`${name}.pb.gz`, file);
  }
}
