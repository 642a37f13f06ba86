import { buildGo, buildJava, startNode, startPython } from "#harness/run-code.ts";
import {
  fetchJar,
  go,
  goVersion,
  javac,
  maven,
  newest,
  npm,
  npmVersion,
  python,
  pythonVersion,
  type Sender,
} from "./sender.ts";

const service = "checkout";
const tags = { region: "eu" };

const goPage = "docs/guide/send-go-sdk.md";
export const pyroscopeGo: Sender = {
  name: "github.com/grafana/pyroscope-go",
  run: "the program of the guide with all types of profiles",
  needs: [go],
  async start(place) {
    const { shop } = place;
    const program = { install: newest(goPage, 0, place), main: newest(goPage, 2, place) };
    shop.start(await buildGo(shop, program));
    return goVersion(shop, this.name);
  },
  expected: {
    service,
    tags,
    functions: {
      cpu: "main.hashPrices",
      memory: "main.work",
      block: "main.work",
      goroutine: "main.work",
    },
  },
};

const pythonPage = "docs/guide/send-python.md";
export const pyroscopePython: Sender = {
  name: "pyroscope-io",
  run: "the program of the guide with memory",
  needs: [python],
  async start(place) {
    await startPython(place.shop, newest(pythonPage, 0, place), newest(pythonPage, 2, place));
    return pythonVersion(place.shop, this.name);
  },
  expected: { service, tags, functions: { cpu: "hash_prices", memory: "checkout.py" } },
};

const nodePage = "docs/guide/send-node.md";
export const pyroscopeNode: Sender = {
  name: "@pyroscope/nodejs",
  run: "the program of the guide",
  needs: [npm],
  async start(place) {
    await startNode(place.shop, newest(nodePage, 0, place), { code: newest(nodePage, 1, place) });
    return npmVersion(place.shop, this.name);
  },
  expected: { service, tags, functions: { cpu: "hashPrices" } },
};

const javaPage = "docs/guide/send-java.md";
export const pyroscopeJava: Sender = {
  name: "io.pyroscope:agent",
  run: "the commands of the guide: CPU, allocations and locks",
  needs: [maven, javac],
  async start(place) {
    const { shop } = place;
    await buildJava(shop);
    const version = await fetchJar(shop, this.name);
    shop.start("bash", ["-c", newest(javaPage, 1, place)]);
    return version;
  },
  expected: { service, tags, functions: { cpu: "Checkout.hashPrices", memory: "Checkout.main" } },
};
