import { otlpOf } from "@flamekeep/profile/testing";
import { freePort } from "#harness/start-flamekeep.ts";
import { go, type Place, type Sender } from "./sender.ts";

const collector = "go.opentelemetry.io/collector";

/** The list of parts from which `cmd/builder` of the collector makes a collector. */
function recipe(version: string): string {
  return `dist:
  name: otelcol
  output_path: ./dist
receivers:
  - gomod: ${collector}/receiver/otlpreceiver v${version}
exporters:
  - gomod: ${collector}/exporter/otlpexporter v${version}
  - gomod: ${collector}/exporter/otlphttpexporter v${version}
`;
}

interface Exporter {
  readonly name: string;
  /** Lines of its configuration, below its name. */
  readonly settings: (place: Place) => string;
}

const exporters: Readonly<Record<"http" | "grpc", Exporter>> = {
  http: {
    name: "otlp_http",
    settings: ({ url, key }) => `    endpoint: ${url}\n    headers: { X-API-Key: ${key} }`,
  },
  grpc: {
    name: "otlp_grpc",
    settings: ({ grpcAddress, key }) =>
      `    endpoint: ${grpcAddress}\n    tls: { insecure: true }\n    headers: { X-API-Key: ${key} }`,
  },
};

function configuration({ name, settings }: Exporter, place: Place, port: number): string {
  return `receivers:
  otlp:
    protocols:
      http: { endpoint: "127.0.0.1:${port}" }
exporters:
  ${name}:
${settings(place)}
service:
  telemetry:
    metrics: { level: none }
  pipelines:
    profiles:
      receivers: [otlp]
      exporters: [${name}]
`;
}

/** Two stacks with known values. */
const values = [30, 12];

function profiles(): Uint8Array {
  const nowNs = BigInt(Date.now()) * 1_000_000n;
  const samples = [
    { stack: "main;charge;hashPrices", values: [values[0]!] },
    { stack: "main;charge", values: [values[1]!] },
  ];
  const profile = {
    type: "cpu/nanoseconds",
    timeNs: nowNs,
    durationNs: 1_000_000_000n,
    samples,
  };
  const attributes = { "service.name": "checkout", "deployment.environment": "test", region: "eu" };
  return otlpOf([{ attributes, profiles: [profile] }]);
}

function otelCollector(kind: "http" | "grpc"): Sender {
  const exporter = exporters[kind];
  return {
    name: `${collector} (${exporter.name})`,
    run: "built by `cmd/builder`, with `--feature-gates=service.profilesSupport`; one profile with known values was sent to it",
    needs: [go],
    async start(place) {
      const { shop } = place;
      const listed = await shop.shell(
        `GOFLAGS=-mod=mod go list -m -f '{{.Version}}' ${collector}/cmd/builder@latest`,
      );
      const version = listed.trim().replace(/^v/, "");
      shop.write("recipe.yaml", recipe(version));
      await shop.shell(`go run ${collector}/cmd/builder@v${version} --config=recipe.yaml`);
      const port = await freePort();
      shop.write("config.yaml", configuration(exporter, place, port));
      const running = shop.start("dist/otelcol", [
        "--config=config.yaml",
        "--feature-gates=service.profilesSupport",
      ]);
      await sendTo(`http://127.0.0.1:${port}/v1development/profiles`, running.hasEnded, running.output);
      return version;
    },
    expected: {
      service: "checkout",
      tags: { region: "eu", "deployment.environment": "test" },
      functions: { cpu: "hashPrices" },
      totals: { cpu: values[0]! + values[1]! },
    },
  };
}

/** Sends the profiles once the collector listens. */
async function sendTo(address: string, hasEnded: () => boolean, output: () => string): Promise<void> {
  for (;;) {
    if (hasEnded()) throw new Error(`the collector ended: ${output()}`);
    const headers = { "content-type": "application/x-protobuf" };
    const body = new Uint8Array(profiles());
    const reply = await fetch(address, { method: "POST", headers, body }).catch(() => undefined);
    if (reply?.ok) return;
    if (reply !== undefined) throw new Error(`the collector answered ${reply.status}: ${await reply.text()}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

export const collectorByHttp = otelCollector("http");
export const collectorByGrpc = otelCollector("grpc");
