import { createHmac } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, inject, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { asRead, type Block, blocksOf, codeOf, pagesWithCode } from "./harness/guide-code.ts";
import { Workshop } from "./harness/run-code.ts";
import { signUp } from "./harness/sign-up.ts";
import { root } from "./harness/start-flamekeep.ts";

const containers = "docs/guide/send-containers.md";
const read = (file: string) => readFileSync(`${root}${file}`, "utf8");
function yamlOf(page: string, at: number) {
  return parseAllDocuments(codeOf(page, at)).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS();
  });
}

describe("the files for containers", () => {
  test("give a program in a pod its key and its name", () => {
    const [{ env }] = yamlOf(containers, 0);
    expect(env.map(({ name }: { name: string }) => name)).toEqual(["FLAMEKEEP_KEY", "POD_NAME"]);
  });

  test("send from all nodes to the address, and with the key, of the collector that was run", () => {
    const [map, { spec }] = yamlOf("docs/guide/send-ebpf.md", 0);
    const { exporters, service } = parse(map.data["config.yaml"]);
    const [collector] = yamlOf("docs/guide/send-opentelemetry.md", 0);
    expect(exporters).toEqual(collector.exporters);
    expect(service.pipelines.profiles.exporters).toEqual(collector.service.pipelines.profiles.exporters);
    const {
      containers: [profiler],
      volumes,
    } = spec.template.spec;
    const [{ env: ofSender }] = yamlOf(containers, 0);
    expect(profiler.env).toEqual(ofSender.slice(0, 1));
    expect(profiler.volumeMounts.map(({ name }: { name: string }) => name)).toEqual(
      volumes.map(({ name }: { name: string }) => name),
    );
    expect(volumes[0].configMap.name).toBe(map.metadata.name);
    expect(spec.selector.matchLabels).toEqual(spec.template.metadata.labels);
  });
});

test("the settings of coding agents reach the server with a key that reads", async () => {
  const url = inject("flamekeepUrl");
  const { headers } = await signUp(url);
  const created = await fetch(`${url}/api/v1/protected/api-keys`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ name: "agent", scope: "read" }),
  });
  const { key } = (await created.json()).api_key;
  const codes = blocksOf("docs/guide/agents.md").map(({ code }) => asRead(code, { url, key }));
  expect(codes.length).toBe(3);
  for (const code of codes) {
    const address = code.match(/http:\/\/[^\s"]+/)![0];
    const [, name = "", value = ""] = code.match(/"?(Authorization)(?:"\s*)?:\s*"?(Bearer [^"]+)"/)!;
    const reply = await fetch(address, {
      method: "POST",
      headers: {
        [name]: value.replace(/\$\{[^}]+\}|\$\w+/, key),
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    });
    expect([reply.status, await reply.text()]).toEqual([200, expect.stringContaining("top_functions")]);
    if (code.startsWith("{")) expect(Object.keys(JSON.parse(code)).length).toBeGreaterThan(0);
  }
});

test("a dashboard is read into a file, changed and saved by the commands of the guide", async () => {
  const url = inject("flamekeepUrl");
  const { headers, password, registered } = await signUp(url);
  const dashboards = `${url}/api/v1/protected/dashboards`;
  const created = await fetch(dashboards, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ name: "Till" }),
  });
  const { id } = await created.json();
  await using shop = new Workshop({ EMAIL: registered.user.email, PASSWORD: password, ID: id });
  const [read = "", save = ""] = blocksOf("docs/guide/dashboards.md").map(({ code }) =>
    asRead(code, { url, key: "" }),
  );
  await shop.shell([read, "sed -i 's/Till/Checkout/' dashboard.json", save, "cat dashboard.json"].join("\n"));
  const saved = await (await fetch(`${dashboards}/${id}`, { headers })).json();
  expect(saved).toMatchObject({ name: "Checkout", version: 2 });
});

test("the check of a webhook's signature accepts what was signed, and nothing else", async () => {
  const folder = mkdtempSync(join(tmpdir(), "flamekeep-guide-"));
  try {
    const file = join(folder, "check.mjs");
    writeFileSync(file, `${codeOf("docs/guide/alerts.md", 0)}\nexport { isFromFlamekeep };`);
    const { isFromFlamekeep } = await import(pathToFileURL(file).href);
    const sign = (timestamp: string) => ({
      "x-flamekeep-timestamp": timestamp,
      "x-flamekeep-signature": `v1=${createHmac("sha256", "secret").update(`${timestamp}.body`).digest("hex")}`,
    });
    const now = Math.floor(Date.now() / 1000);
    expect(isFromFlamekeep(sign(String(now)), "body", "secret")).toBe(true);
    expect(isFromFlamekeep(sign(String(now)), "other", "secret")).toBe(false);
    expect(isFromFlamekeep(sign(String(now)), "body", "other")).toBe(false);
    expect(isFromFlamekeep(sign(String(now - 400)), "body", "secret")).toBe(false);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

describe("the guide", () => {
  /** By page: where each of its blocks is run, or why it is not. */
  const blocks: Readonly<Record<string, readonly string[]>> = {
    "README.md": ["every browser test", "every change", "guides", "part of the Go guide"],
    "docs/sending.md": ["guides", "guides", "guides", "guides", "guides", "guides", "guides"],
    "docs/guide/agents.md": ["here", "here", "here"],
    "docs/guide/alerts.md": ["here"],
    "docs/guide/dashboards.md": ["here", "here"],
    "docs/guide/grafana.md": [
      "not run: there is no package of Grafana",
      "by hand, with profilecli of August 2026: the server's tests repeat its requests",
    ],
    "docs/guide/operate.md": ["the test of the files in deploy/"],
    "docs/operate/clickhouse.md": [
      "not run: the tests have no ClickHouse servers",
      "the test of the doctor has one like it",
      "the test of the statements for a cluster",
    ],
    "docs/operate/cluster.md": [
      "bench/scale.test.ts",
      "not run: there is no cluster",
      "not run: there is no cluster",
      "the test of repaired columns",
    ],
    "docs/operate/install.md": [
      "the test of the npm package",
      "the test of the npm package",
      "not run: the tests have no Docker",
      "not run: the tests have no Docker",
      "not run: the tests have no Docker",
      "the test of the installed folder, without the archive",
      "not run: the tests have no systemd",
      "the test of the files in deploy/",
      "not run: it needs the user of the unit",
      "not run: the tests have no systemd",
      "not run: the tests have no systemd",
      "not run: the tests have no cluster",
      "not run: the tests have no cluster",
      "the test of the files in deploy/",
    ],
    "docs/operate/monitoring.md": [
      "by hand, with Prometheus 2.42",
      "not run: the server's tests read the address without Prometheus",
    ],
    "docs/operate/move.md": Array(4).fill("the test of data that moves"),
    "docs/operate/organization-limits.md": ["the test of the file of limits has one like it"],
    "docs/operate/proxies.md": [
      "the test of proxies",
      "by hand, with Caddy 2.11",
      "not run: there is no package of Traefik",
      "the test of the files in deploy/",
      "the test of proxies",
      "the Ingress of the chart",
    ],
    "docs/guide/pull.md": [
      "the test of discovery has one like it",
      "the test of discovery has one like it",
      "the test of targets has one like it",
    ],
    "docs/guide/send-alloy.md": [
      "not run: there is no package of Alloy",
      "not run: there is no package of Alloy",
    ],
    "docs/guide/send-c-cpp.md": ["guides", "guides"],
    "docs/guide/send-containers.md": ["here"],
    "docs/guide/send-datadog.md": Array(12).fill("guides"),
    "docs/guide/send-dotnet.md": ["not run: there is no package of the profiler"],
    "docs/guide/send-ebpf.md": [
      "not run: it needs the kernel of a host; here the exporter is compared with one that was",
      "not run: it needs the kernel of a host",
    ],
    "docs/guide/send-go-pprof.md": ["guides", "guides"],
    "docs/guide/send-go-sdk.md": ["guides", "guides", "guides"],
    "docs/guide/send-http-metrics.md": ["guides", "guides"],
    "docs/guide/send-java.md": ["guides", "guides", "guides"],
    "docs/guide/send-node.md": ["guides", "guides"],
    "docs/guide/send-opentelemetry.md": ["the test of the endpoint", "`npm run test:senders`"],
    "docs/guide/send-php.md": ["guides", "guides"],
    "docs/guide/send-python.md": ["guides", "guides", "guides", "guides", "guides", "guides"],
    "docs/guide/send-ruby.md": ["not run: there is no package of the gem"],
    "docs/guide/send-rust.md": ["guides", "guides"],
    "docs/guide/start.md": ["guides", "guides"],
  };

  test("has no block of code that no test runs, unless its page says so", () => {
    const counts = (pages: Readonly<Record<string, { readonly length: number }>>) =>
      Object.fromEntries(Object.entries(pages).map(([page, { length }]) => [page, length]));
    const found = Object.fromEntries(
      pagesWithCode.map((page): [string, readonly Block[]] => [page, blocksOf(page)]),
    );
    expect(counts(found)).toEqual(counts(blocks));
    for (const [page, proofs] of Object.entries(blocks)) {
      if (proofs.some((proof) => proof.startsWith("not run")))
        expect(read(page)).toMatch(/has not been\s+run/);
    }
    const sdk = codeOf("docs/guide/send-go-sdk.md", 1);
    for (const line of codeOf("README.md", 3).split("\n")) expect(sdk).toContain(line.trim());
  });

  test("lists the versions that its pages install, which the tests run", () => {
    const installed = Object.keys(blocks)
      .flatMap((page) => blocksOf(page).map(({ code }) => code))
      .flatMap((code) => [
        ...code.matchAll(/^(?:go get|pip install|npm install|cargo add) (\S+?)(?:@v?|==)(\d[\d.]*)/gm),
        ...code.matchAll(/^mvn dependency:copy -Dartifact=(\S+):(\d[\d.]*)/gm),
      ])
      .map(([, name, version]) => `${name} ${version}`);
    expect(installed.length).toBeGreaterThan(4);
    const table = read("docs/sending.md").split("\n### Versions that were run\n")[1]!.split("\n#")[0]!;
    const listed = [...table.matchAll(/^\| `([^`]+)` \| ([\d., ]+) \|/gm)].flatMap(
      ([, name, versions = ""]) => versions.split(", ").map((version) => `${name} ${version.trim()}`),
    );
    expect(listed.toSorted()).toEqual([...new Set(installed)].toSorted());
    for (const each of listed) {
      const [, name, version] = /^(?:.*\/)?([^/ ]+) (.*)$/.exec(each)!;
      expect(read("README.md"), each).toMatch(
        new RegExp(`${name}[^)]*\\b${version?.replaceAll(".", "\\.")}`),
      );
    }
  });
});
