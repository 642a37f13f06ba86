import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { describe, expect, inject, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { blocksOf } from "./harness/guide-code.ts";
import { root, startFlamekeep } from "./harness/start-flamekeep.ts";

const read = (file: string) => readFileSync(`${root}${file}`, "utf8");
const namesIn = (file: string) =>
  new Set([...read(file).matchAll(/^ {2}"?([A-Z][A-Z\d_]+)"?[:,]/gm)].map(([, name]) => name!));
const settings = new Set(
  globSync("packages/server/src/context/*settings.ts", { cwd: root }).flatMap((file) => [...namesIn(file)]),
);
const secrets = namesIn("packages/server/src/context/environment.ts");
/** How long the server may take for accepted work after STOP_DELAY_SECONDS. */
const stopSeconds = 5 + Number(/stopSecondsMax = (\d+)/.exec(read("packages/server/src/start.ts"))![1]);

const dockerfile = read("Dockerfile");
const ofImage = envIn(/^ENV (.*)$/m.exec(dockerfile)![1]!);
const compose = parse(read("deploy/compose.yaml")).services.flamekeep;
const external = parse(read("deploy/compose.external-stores.yaml"), { merge: true });
const unit = read("deploy/flamekeep.service");
const charts = ["one-server", "external-stores", "several-servers"].map((name) => ({
  name,
  documents: rendered(name),
}));

function envIn(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries([...text.matchAll(/\b([A-Z_]+)=(\S+)/g)].map(([, name, value]) => [name, value]));
}

const withExternalStores = charts.filter(({ name }) => name !== "one-server");

interface Resource {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  /** As many shapes as kinds. */
  readonly spec: ReturnType<JSON["parse"]>;
}

function rendered(name: string): readonly Resource[] {
  return parseAllDocuments(read(`deploy/helm/rendered/${name}.yaml`))
    .map((document) => {
      expect(document.errors).toEqual([]);
      return document.toJS();
    })
    .filter((resource) => resource !== null);
}

const workloadOf = (documents: readonly Resource[]) => documents.find(({ kind }) => kind === "StatefulSet")!;

describe("settings in the files for operators", () => {
  function expectSettings(names: readonly string[]): void {
    expect(names.length).toBeGreaterThan(0);
    const isKnown = (name: string) => settings.has(name) || secrets.has(name.replace(/_FILE$/, ""));
    // `npm run move` reads the stores of its target under these names.
    const own = names.map((name) => name.replace(/^TO_/, ""));
    expect(own.filter((name) => !isKnown(name))).toEqual([]);
  }

  test("exist, in the image, compose files, unit and chart", () => {
    expect(settings.size).toBeGreaterThan(50);
    expect(secrets.size).toBe(12);
    expectSettings(Object.keys(ofImage));
    expectSettings(Object.keys(compose.environment));
    for (const name of ["flamekeep-1", "flamekeep-2"])
      expectSettings(Object.keys(external.services[name].environment));
    // Node's own variable.
    const ofUnit = Object.keys(envIn(/^Environment=(.*)$/m.exec(unit)![1]!));
    expectSettings(ofUnit.filter((name) => name !== "NODE_COMPILE_CACHE"));
    for (const { documents } of charts) {
      const [container] = workloadOf(documents).spec.template.spec.containers;
      expectSettings(container.env.map(({ name }: { name: string }) => name));
    }
  });

  test("exist, on the pages", () => {
    const pages = globSync("docs/operate/*.md", { cwd: root }).concat("docs/guide/operate.md");
    const blocks = pages.flatMap(blocksOf).filter(({ language }) => language === "sh" || language === "yaml");
    const names = blocks.flatMap(({ code }) => [
      ...[...code.matchAll(/(?:^|\s|--from-literal=)([A-Z][A-Z\d_]*)=/gm)].map(([, name]) => name!),
      ...Object.keys(/^settings:/m.test(code) ? parse(code).settings : {}),
    ]);
    expect(names.length).toBeGreaterThan(9);
    expectSettings(names);
    // The secrets of other programs have names that are no settings.
    const made = /for name in ([A-Z_ ]+);/.exec(read("docs/operate/install.md"))![1]!.split(" ");
    const used = [...read("deploy/compose.external-stores.yaml").matchAll(/\$\{([A-Z_]+):\?/g)].map(
      ([, name]) => name,
    );
    expect([...new Set(used)].toSorted()).toEqual([...made, "PUBLIC_URL"].toSorted());
  });
});

test("the image and the compose file start a server that its health check finds ready", async () => {
  const { DATA_DIR, ...env } = ofImage;
  expect(DATA_DIR).toBe(/VOLUME (\S+)/.exec(dockerfile)![1]);
  const folders = /install -d .* 700 (.*)$/m.exec(dockerfile)![1]!.split(" ");
  expect(compose.volumes).toEqual([`data:${DATA_DIR}`, "backups:/backup"]);
  expect(folders).toEqual([DATA_DIR, "/backup"]);
  const stages = [...dockerfile.matchAll(/^FROM \S+ AS (\S+)$/gm)].map(([, name]) => name);
  expect(stages.at(-1)).toBe("flamekeep");
  expect(stages).toEqual(
    expect.arrayContaining([compose.build.target, external.services["flamekeep-1"].build.target]),
  );
  const defaults = Object.entries<string>(compose.environment).map(([name, value]) => [
    name,
    /:-(.*)\}/.exec(value)![1]!,
  ]);
  await using server = await startFlamekeep({
    env: { ...env, ...Object.fromEntries(defaults), DEMO: "off" },
  });
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
});

test("images and chart have the version of the project", () => {
  const { version } = JSON.parse(read("package.json"));
  const { version: ofChart, appVersion } = parse(read("deploy/helm/flamekeep/Chart.yaml"));
  expect([ofChart, appVersion]).toEqual([version, version]);
  const images = [compose.image, external.services["flamekeep-1"].image];
  expect(images).toEqual([`flamekeep:${version}`, `flamekeep:${version}-without-engine`]);
});

test("orchestrators wait until accepted work is finished", () => {
  const seconds = (text: string) => Number(/^(\d+)s?$/.exec(text)![1]);
  expect(seconds(compose.stop_grace_period)).toBeGreaterThan(stopSeconds);
  expect(seconds(external.services["flamekeep-1"].stop_grace_period)).toBeGreaterThan(stopSeconds);
  expect(seconds(/TimeoutStopSec=(.*)/.exec(unit)![1]!)).toBeGreaterThan(stopSeconds);
  for (const { documents } of charts)
    expect(workloadOf(documents).spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(
      stopSeconds,
    );
});

test("the image leaves out the folders that the project makes itself", () => {
  const ignored = read(".dockerignore").split("\n");
  const made =
    read(".gitignore").match(
      /^(\.node|\.cache|\.build|node_modules|\/data|dist|\/build|\/coverage|e2e\/screenshots)/gm,
    ) ?? [];
  expect(made.length).toBe(9);
  for (const folder of made)
    expect(ignored.map((line) => line.replace("**/", ""))).toContain(folder.replace(/^\//, ""));
});

describe("the chart", () => {
  const fingerprint = () => {
    const files = globSync(["deploy/helm/flamekeep/**/*.*", "deploy/helm/cases/*"], { cwd: root }).toSorted();
    const hash = createHash("sha256");
    for (const file of files) hash.update(`${file}\0${read(file)}\0`);
    return { count: files.length, hash: hash.digest("hex") };
  };

  test("was rendered as it is: after a change, run deploy/helm/render.sh", () => {
    const { count, hash } = fingerprint();
    expect(count).toBeGreaterThan(10);
    expect(read("deploy/helm/rendered/chart.sha256").trim()).toBe(hash);
  });

  test.each(charts)(
    "runs unprivileged and is probed where the server answers ($name)",
    async ({ documents }) => {
      const { spec } = workloadOf(documents).spec.template;
      const [container] = spec.containers;
      expect(spec.securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: Number(/^USER (\d+)/m.exec(dockerfile)![1]),
        seccompProfile: { type: "RuntimeDefault" },
      });
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      });
      const mounted = container.volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath);
      const env = Object.fromEntries(
        container.env.map(({ name, value }: { name: string; value: string }) => [name, value]),
      );
      expect(mounted).toEqual(expect.arrayContaining([env.DATA_DIR, "/tmp"]));
      const ports = Object.fromEntries(
        container.ports.map(({ name, containerPort }: { name: string; containerPort: number }) => [
          name,
          String(containerPort),
        ]),
      );
      const { PORT, GRPC_PORT, CLUSTER_PORT } = env;
      expect(ports).toEqual({ http: PORT, grpc: GRPC_PORT, ...(CLUSTER_PORT && { cluster: CLUSTER_PORT }) });
      for (const probe of ["startupProbe", "readinessProbe", "livenessProbe"]) {
        const { path, port } = container[probe].httpGet;
        expect([port, (await fetch(inject("flamekeepUrl") + path)).status]).toEqual(["http", 200]);
      }
    },
  );

  test("reads secrets from files that the Secret has", () => {
    for (const { documents } of charts) {
      const { containers, volumes } = workloadOf(documents).spec.template.spec;
      const { secret } = volumes.find(({ name }: { name: string }) => name === "secrets");
      const files = secret.items.map(({ path }: { path: string }) => `/run/secrets/flamekeep/${path}`);
      const read = containers[0].env.filter(({ name }: { name: string }) => name.endsWith("_FILE"));
      expect(read.map(({ value }: { value: string }) => value)).toEqual(files);
      expect(files.length).toBeGreaterThan(1);
    }
  });

  test("lets pods of the release alone reach the private port of their servers, at the address of the pod", () => {
    expect(withExternalStores.map(({ name }) => name)).toEqual(["external-stores", "several-servers"]);
    for (const { documents } of withExternalStores) {
      const { template, selector } = workloadOf(documents).spec;
      const { ingress } = documents.find(({ kind }) => kind === "NetworkPolicy")!.spec;
      expect(ingress.at(-1)).toEqual({ ports: [{ port: "cluster" }], from: [{ podSelector: selector }] });
      const [{ env }] = template.spec.containers;
      const address = env.find(({ name }: { name: string }) => name === "CLUSTER_ADDRESS");
      expect(address.valueFrom).toEqual({ fieldRef: { fieldPath: "status.podIP" } });
    }
  });

  test("gives each pod a volume where its log outlives it, and answers uploads from that log", () => {
    for (const { name, documents } of charts) {
      const { volumeClaimTemplates, template, serviceName } = workloadOf(documents).spec;
      const { volumes, containers } = template.spec;
      const isExternal = withExternalStores.some((each) => each.name === name);
      expect(volumeClaimTemplates).toMatchObject([
        {
          metadata: { name: "data" },
          spec: { resources: { requests: { storage: isExternal ? "20Gi" : "50Gi" } } },
        },
      ]);
      expect(volumes.map((volume: { name: string }) => volume.name)).not.toContain("data");
      expect(containers[0].volumeMounts).toContainEqual({ name: "data", mountPath: "/data" });
      expect(containers[0].env.map((each: { name: string }) => each.name)).not.toContain("ACKNOWLEDGE");
      expect(serviceName).toBe(documents.find(({ kind }) => kind === "Service")!.metadata.name);
    }
    // Each upload of an outage finds room: 70 kB is a large CPU profile.
    const waiting = Number(
      /INGEST_WAITING_UPLOADS: whole\(.*?, ([\d_]+)\)/
        .exec(read("packages/server/src/context/settings.ts"))![1]!
        .replaceAll("_", ""),
    );
    expect(waiting * 70_000).toBeLessThan(20 * 2 ** 30);
  });

  test("has what the commands of the page name", () => {
    const page = "docs/operate/cluster.md";
    const [scaling = "", removal = ""] = blocksOf(page).flatMap(({ code }) =>
      /^(helm|kubectl)/.test(code) ? [code] : [],
    );
    const { kind, metadata, spec } = workloadOf(withExternalStores[0]!.documents);
    const values = parse(read("deploy/helm/flamekeep/values.yaml"));
    const set = [...scaling.matchAll(/--set (\w+)=\d/g)].map(([, name]) => name!);
    expect(set).toEqual(["replicas", "replicas"]);
    for (const name of set) expect(values).toHaveProperty(name);
    expect(scaling).toContain(`rollout status ${kind.toLowerCase()}/${metadata.name}`);
    const claim = `${spec.volumeClaimTemplates[0].metadata.name}-${metadata.name}`;
    expect(removal).toBe(`kubectl delete pvc ${claim}-1 ${claim}-2`);
  });

  test("starts one server, unless autoscaling is enabled", () => {
    const replicas = charts.map(({ documents }) => workloadOf(documents).spec.replicas);
    expect(replicas).toEqual([1, 1, undefined]);
  });

  test("connects its parts by name and label", () => {
    const kinds = charts.map(({ documents }) => documents.map(({ kind }) => kind).toSorted());
    const always = ["NetworkPolicy", "PodDisruptionBudget", "Service", "ServiceAccount"];
    expect(kinds).toEqual([
      [...always, "Ingress", "ServiceMonitor", "StatefulSet"].toSorted(),
      [...always, "StatefulSet"].toSorted(),
      [...always, "StatefulSet", "HorizontalPodAutoscaler"].toSorted(),
    ]);
    for (const { documents } of charts) {
      const { spec, metadata } = workloadOf(documents);
      const of = (kind: string) => documents.find((each) => each.kind === kind)!.spec;
      const selectors = [
        of("Service").selector,
        of("PodDisruptionBudget").selector.matchLabels,
        of("NetworkPolicy").podSelector.matchLabels,
      ];
      for (const selector of selectors) expect(selector).toEqual(spec.selector.matchLabels);
      expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels);
      expect(documents.every(({ metadata: { name } }) => name === metadata.name)).toBe(true);
    }
    const scaled = charts[2]!.documents;
    const { scaleTargetRef } = scaled.find(({ kind }) => kind === "HorizontalPodAutoscaler")!.spec;
    const { kind, metadata } = workloadOf(scaled);
    expect(scaleTargetRef).toMatchObject({ kind, name: metadata.name });
    const [{ documents = [] } = {}] = charts;
    const [rule] = documents.find(({ kind }) => kind === "Ingress")!.spec.rules;
    expect([rule.host, rule.http.paths[0].path]).toEqual(["tools.example.com", "/flamekeep"]);
  });
});
