import { once } from "node:events";
import { cpSync } from "node:fs";
import { createServer, request as forward } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { buildJava } from "#harness/run-code.ts";
import { root } from "#harness/start-flamekeep.ts";
import {
  fetchJar,
  go,
  goVersion,
  javac,
  maven,
  npm,
  npmVersion,
  type Place,
  python,
  pythonVersion,
  type Sender,
} from "./sender.ts";

const programs = `${root}examples/recordings/programs`;
const service = "kiosk";
const tags = { env: "test", version: "1.2.3" };
const quiet = "export DD_INSTRUMENTATION_TELEMETRY_ENABLED=false DD_REMOTE_CONFIGURATION_ENABLED=false";

export const datadogGo: Sender = {
  name: "github.com/DataDog/dd-trace-go/v2",
  run: "as to its agent, with the key in `DD_API_KEY`: CPU, heap, goroutines, mutex and block",
  needs: [go],
  async start({ shop, url, key }) {
    cpSync(`${programs}/go-datadog`, shop.folder, { recursive: true });
    await shop.shell(`go get ${this.name}@latest && go mod tidy && go build -o kiosk .`);
    shop.start("bash", ["-c", `${quiet} DD_API_KEY=${key} DD_TRACE_AGENT_URL=${url}; exec ./kiosk`]);
    return goVersion(shop, this.name);
  },
  expected: {
    service,
    tags: { ...tags, region: "eu" },
    functions: {
      cpu: "main.read",
      memory: "main.sell",
      goroutine: "main.sell",
      mutex: "main.sell",
      block: "main.sell",
    },
  },
};

export const datadogNode: Sender = {
  name: "dd-trace",
  run: "as to its agent, through a proxy that adds the key",
  needs: [npm],
  async start(place) {
    const { shop } = place;
    cpSync(`${programs}/node-datadog/kiosk.js`, `${shop.folder}/kiosk.js`);
    await shop.shell("npm install --no-audit --no-fund dd-trace@latest");
    const settings = `${quiet} DD_PROFILING_UPLOAD_PERIOD=5 DD_TRACE_AGENT_URL=${await proxyTo(place)}`;
    shop.start("bash", ["-c", `${settings}; exec ${process.execPath} kiosk.js`]);
    return npmVersion(shop, this.name);
  },
  expected: { service, tags: { ...tags, region: "eu" }, functions: { cpu: "read" } },
};

const kiosk = `import time

def count_words(text):
    return sum(len(word) for word in text.split())

end = time.time() + 240
papers = []
while time.time() < end:
    sum(count_words("extra extra read all about it") for _ in range(20_000))
    papers.append(["page"] * 1000)
    time.sleep(0.02)
`;

export const datadogPython: Sender = {
  name: "ddtrace",
  run: "`ddtrace-run`, as to its agent, through a proxy that adds the key",
  needs: [python],
  async start(place) {
    const { shop } = place;
    await shop.shell(`python3 -m venv venv && venv/bin/pip install --quiet ${this.name}`);
    shop.write("kiosk.py", kiosk);
    const settings = `${quiet} DD_PROFILING_ENABLED=true DD_PROFILING_UPLOAD_INTERVAL=10 DD_SERVICE=${service}
      export DD_ENV=test DD_VERSION=1.2.3 DD_TRACE_AGENT_URL=${await proxyTo(place)}`;
    shop.start("bash", ["-c", `${settings}\nexec venv/bin/ddtrace-run venv/bin/python kiosk.py`]);
    return pythonVersion(shop, this.name);
  },
  expected: { service, tags, functions: { cpu: "count_words", memory: "kiosk.py" } },
};

export const datadogJava: Sender = {
  name: "com.datadoghq:dd-java-agent",
  run: "as without an agent, with a key of 32 hexadecimal digits in `DD_API_KEY`",
  needs: [maven, javac],
  async start({ shop, url, makeKey }) {
    await buildJava(shop);
    const version = await fetchJar(shop, this.name);
    const key = await makeKey("datadog");
    const settings = `${quiet} DD_API_KEY=${key} DD_PROFILING_ENABLED=true DD_PROFILING_AGENTLESS=true
      export DD_PROFILING_URL=${url}/api/v2/profile DD_TRACE_AGENT_URL=${url} DD_PROFILING_UPLOAD_PERIOD=10
      export DD_SERVICE=${service} DD_ENV=test DD_VERSION=1.2.3 DD_TAGS=region:eu`;
    shop.start("bash", ["-c", `${settings}\nexec java -javaagent:dd-java-agent.jar -jar checkout.jar`]);
    return version;
  },
  expected: {
    service,
    tags: { ...tags, region: "eu" },
    functions: { cpu: "Checkout.hashPrices", memory: "Checkout.main" },
  },
};

/** The address of a proxy that adds the key, because these libraries send none to an agent. It ends with the process. */
async function proxyTo({ url, key }: Place): Promise<string> {
  const server = createServer((request, response) => {
    const { method, headers } = request;
    const target = forward(`${url}${request.url}`, { method, headers: { ...headers, "x-api-key": key } });
    target.on("response", (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(response);
    });
    target.on("error", () => response.destroy());
    request.pipe(target);
  });
  server.unref();
  await once(server.listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
