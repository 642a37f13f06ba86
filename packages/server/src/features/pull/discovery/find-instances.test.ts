import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { limits, type TargetDefinition } from "@flamekeep/contract";
import { afterEach, describe, expect, it } from "vitest";
import { readConfig } from "#config";
import { Client } from "#pull/connect/client.ts";
import { openReach } from "#pull/connect/reach.ts";
import { type PprofServer, startPprofServer, text } from "#pull/testing/pprof-server.ts";
import { type Resolver, systemResolver } from "./dns.ts";
import { findInstances } from "./find-instances.ts";

const opened: PprofServer[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()));
});

async function serve(answers: Parameters<typeof startPprofServer>[0]): Promise<PprofServer> {
  const started = await startPprofServer(answers);
  opened.push(started);
  return started;
}

const { pull } = readConfig({ PULL_PRIVATE_ADDRESSES: "on", PULL_KUBERNETES: "on" });

async function found(
  source: TargetDefinition["source"],
  options: {
    readonly service?: string;
    readonly resolver?: Resolver;
    readonly config?: typeof pull;
    readonly problems?: string[];
  } = {},
) {
  const definition: TargetDefinition = {
    name: "test",
    service: options.service ?? "",
    source,
    interval_seconds: 15,
    profiles: ["cpu", "heap", "goroutine"],
    tags: { env: "test" },
    path_prefix: "",
    tls: { ca: "", skip_verification: false },
    is_enabled: true,
  };
  const config = options.config ?? pull;
  const reach = openReach(config);
  const client = new Client({ reach, headers: {}, tls: definition.tls });
  try {
    const { instances, problem } = await findInstances(definition, {
      client,
      resolver: options.resolver ?? systemResolver,
      reach,
      config,
      stopped: new AbortController().signal,
    });
    if (options.problems !== undefined && problem !== null) options.problems.push(problem);
    return instances;
  } finally {
    client.close();
  }
}

it.each([
  ["http://checkout.internal:6060", "checkout.internal:6060", "http://checkout.internal:6060"],
  ["https://checkout.internal/", "checkout.internal:443", "https://checkout.internal"],
  ["http://[fd00::1]:6060/admin/", "[fd00::1]:6060", "http://[fd00::1]:6060/admin"],
  ["http://10.0.0.1:6060/debug/pprof/", "10.0.0.1:6060", "http://10.0.0.1:6060"],
  ["http://10.0.0.1:6060/debug/pprof/heap?debug=1", "10.0.0.1:6060", "http://10.0.0.1:6060"],
  ["http://10.0.0.1:6060/admin/debug/pprof/profile", "10.0.0.1:6060", "http://10.0.0.1:6060/admin"],
  ["http://10.0.0.1:6060/debug/admin", "10.0.0.1:6060", "http://10.0.0.1:6060/debug/admin"],
])("%s is one process", async (url, instance, origin) => {
  expect(await found({ kind: "url", url }, { service: "checkout" })).toEqual([
    { instance, origin, service: "checkout", tags: { env: "test" } },
  ]);
});

describe("by DNS", () => {
  const resolver: Resolver = {
    resolve4: async () => ["10.0.0.1", "10.0.0.2", "10.0.0.1"],
    resolve6: async () => ["fd00::1"],
    resolveSrv: async () => [
      { name: "a.example.com.", port: 6060 },
      { name: "b.example.com", port: 6061 },
    ],
  };
  const named = (record: "A" | "AAAA" | "SRV", port: number | null) =>
    found({ kind: "dns", name: "checkout", record, port, scheme: "http" }, { service: "checkout", resolver });

  it("each address is a process, and each entry of an SRV record", async () => {
    const instances = async (...args: Parameters<typeof named>) =>
      (await named(...args)).map(({ instance }) => instance);
    expect(await instances("A", 6060)).toEqual(["10.0.0.1:6060", "10.0.0.2:6060"]);
    expect(await instances("AAAA", 6060)).toEqual(["[fd00::1]:6060"]);
    expect(await instances("SRV", null)).toEqual(["a.example.com:6060", "b.example.com:6061"]);
  });

  it("a name without a record, and one with addresses that are not allowed, is the same error", async () => {
    const missing = () => Promise.reject(Object.assign(new Error(), { code: "ENOTFOUND" }));
    const config = readConfig({}).pull;
    const messageOf = (record: "A" | "SRV", part: Partial<Resolver>) =>
      found(
        { kind: "dns", name: "db.internal", record, port: record === "A" ? 1 : null, scheme: "http" },
        { service: "checkout", resolver: { ...resolver, ...part }, config },
      ).catch((error: Error) => error.message);
    const cases = ["A", "A", "A", "SRV", "SRV"] as const;
    const answers = [
      { resolve4: missing },
      {},
      { resolve4: async () => [] },
      { resolveSrv: missing },
      { resolve6: missing },
    ];
    const messages = await Promise.all(cases.map((record, at) => messageOf(record, answers[at]!)));
    expect(messages).toEqual(
      cases.map(
        (record) =>
          `db.internal has no ${record} record, or none with an address that is allowed. Check the name, and the name server of this machine; the operator can allow private addresses with PULL_PRIVATE_ADDRESSES.`,
      ),
    );
  });

  it("addresses that are not allowed are left out, and entries whose names have one", async () => {
    const mixed: Resolver = {
      resolve4: async (name) =>
        name === "a.example.com."
          ? ["10.0.0.1", "93.184.216.34"]
          : ["93.184.216.34", "192.168.0.1"].slice(0, name === "mixed" ? 2 : 1),
      resolve6: () => Promise.reject(new Error("ENODATA")),
      resolveSrv: resolver.resolveSrv,
    };
    const options = { service: "checkout", resolver: mixed, config: readConfig({}).pull };
    const source = { kind: "dns", name: "mixed", scheme: "http" } as const;
    const addresses = await found({ ...source, record: "A", port: 1 }, options);
    expect(addresses.map(({ instance }) => instance)).toEqual(["93.184.216.34:1"]);
    const entries = await found({ ...source, record: "SRV", port: null }, options);
    expect(entries.map(({ instance }) => instance)).toEqual(["b.example.com:6061"]);
  });
});

describe("by a JSON list", () => {
  const listed = async (list: unknown, service = "", problems: string[] = []) => {
    const { place } = await serve({ "/targets": text(200, JSON.stringify(list)) });
    return found({ kind: "http", url: `http://${place}/targets`, scheme: "http" }, { service, problems });
  };

  it("has processes with labels as tags and a label for the service", async () => {
    const labels = { job: "checkout", region: "eu", __scheme__: "https", __meta_x: "y" };
    expect(await listed([{ targets: ["10.0.0.1:6060"], labels }, { targets: [] }])).toEqual([
      {
        instance: "10.0.0.1:6060",
        origin: "https://10.0.0.1:6060",
        service: "checkout",
        tags: { region: "eu", env: "test" },
      },
    ]);
    expect((await listed([{ targets: ["a:1"] }], "mine"))[0]!.service).toBe("mine");
  });

  it("may write the default port of a scheme", async () => {
    const list = [
      { targets: ["10.1.2.3:80", "10.1.2.4"] },
      { targets: ["10.1.2.5:443"], labels: { __scheme__: "https" } },
    ];
    const instances = (await listed(list, "mine")).map(({ instance }) => instance);
    expect(instances).toEqual(["10.1.2.3:80", "10.1.2.4", "10.1.2.5:443"]);
  });

  it("entries that cannot be used are left out, and named", async () => {
    const problems: string[] = [];
    const list = [{ targets: ["a:1/path", "a:1"], labels: { job: "x" } }, { targets: ["b:1", "c:1"] }];
    expect((await listed(list, "", problems)).map(({ instance }) => instance)).toEqual(["a:1"]);
    expect(problems).toEqual([
      expect.stringMatching(
        /lists “a:1\/path”, which is no host and port. It is left out. So are 2 others.$/,
      ),
    ]);
  });

  it("labels become as many tags as a target may have", async () => {
    const labels = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`label${at}`, "x"]));
    const [first, second] = await listed([{ targets: ["a:1", "b:1"], labels }], "mine");
    expect(Object.keys(first!.tags)).toHaveLength(limits.targetTagsMax + 1);
    // All processes of a group share them.
    expect(second!.tags).toBe(first!.tags);
  });

  it.each([
    [
      [{ targets: Array.from({ length: 1001 }, (_, at) => `a:${at + 1}`) }],
      "has 1001 processes, and may have 1000",
    ],
    [Array.from({ length: 1001 }, () => ({ targets: [] })), "lists 1001 groups, and may list 1000"],
    [
      [{ targets: [], labels: { x: "y".repeat(1024 * 1024) } }],
      "sent more than 1048576 bytes. Check the URL",
    ],
  ])("that is too large is refused", async (list, message) => {
    await expect(listed(list, "mine")).rejects.toThrow(message);
  });

  it.each([
    [[{ targets: ["a:1"] }], "without a label service_name"],
    [{ targets: [] }, "sent no list of targets"],
    [[{ targets: ["a:1/path?x=1"], labels: { job: "x" } }], "is no host and port"],
    [[{ targets: ["user@a:1"], labels: { job: "x" } }], "is no host and port"],
  ])("%j is refused", async (list, message) => {
    await expect(listed(list)).rejects.toThrow(message);
  });
});

describe("by annotations of pods", () => {
  const pod = (name: string, annotations: Record<string, string>, part: object = {}) => ({
    metadata: {
      name,
      namespace: "shop",
      labels: { app: "checkout", "pod-template-hash": "7d9f" },
      annotations,
    },
    spec: { containers: [{ ports: [{ name: "pprof", containerPort: 6060 }, { containerPort: 8080 }] }] },
    status: { phase: "Running", podIP: "10.2.0.1" },
    ...part,
  });
  const grafana = (names: readonly string[], rest: Record<string, string> = {}) =>
    Object.fromEntries([
      ...names.flatMap((name) => [
        [`profiles.grafana.com/${name}.scrape`, "true"],
        [`profiles.grafana.com/${name}.port_name`, "pprof"],
      ]),
      ...Object.entries(rest),
    ]);

  /** Answers as the API server of Kubernetes: pages of one pod, with a token for the next. */
  async function fromCluster(pods: readonly object[], source: object = {}, status?: number) {
    const folder = await mkdtemp(join(tmpdir(), "flamekeep-"));
    const tokenFile = join(folder, "token");
    const caFile = join(folder, "ca.crt");
    await writeFile(tokenFile, "service-account-token\n");
    await writeFile(caFile, "");
    let isExpired = pods.length > 1;
    const answer = (request: { url?: string | undefined }, response: import("node:http").ServerResponse) => {
      const at = Number(new URL(request.url ?? "", "http://x").searchParams.get("continue") ?? 0);
      const isGone = isExpired && at === 1;
      if (isGone) isExpired = false;
      response.writeHead(status ?? (isGone ? 410 : 200), { "content-type": "application/json" });
      const next =
        at + 1 < pods.length ? { continue: String(at + 1), remainingItemCount: pods.length - at - 1 } : {};
      response.end(
        JSON.stringify({
          kind: "PodList",
          apiVersion: "v1",
          metadata: { resourceVersion: "1", ...next },
          items: pods.slice(at, at + 1),
        }),
      );
    };
    const api = await serve({ "/api/v1/pods": answer, "/api/v1/namespaces/shop/pods": answer });
    const config = { ...pull, kubernetes: { url: `http://${api.place}`, tokenFile, caFile } };
    const all = {
      kind: "kubernetes",
      namespace: "",
      selector: "",
      annotations: "profiles.grafana.com",
      ...source,
    };
    try {
      return { api, instances: await found(all as TargetDefinition["source"], { config }) };
    } finally {
      await rm(folder, { recursive: true });
    }
  }

  it("each running pod is a process with the profiles of its annotations, over all pages", async () => {
    const pods = [
      pod("checkout-7d9f-aaaaa", grafana(["cpu", "memory"])),
      pod("checkout-7d9f-bbbbb", grafana(["cpu"]), { status: { phase: "Pending" } }),
      pod("checkout-7d9f-ccccc", grafana(["goroutine"], { "profiles.grafana.com/goroutine.port": "7070" }), {
        status: { phase: "Running", podIP: "10.2.0.3" },
      }),
      pod("without", {}),
    ];
    const { api, instances } = await fromCluster(pods);
    expect(instances).toEqual([
      {
        instance: "10.2.0.1:6060",
        origin: "http://10.2.0.1:6060",
        service: "checkout",
        tags: { namespace: "shop", pod: "checkout-7d9f-aaaaa", env: "test" },
        profiles: ["cpu", "heap"],
      },
      {
        instance: "10.2.0.3:7070",
        origin: "http://10.2.0.3:7070",
        service: "checkout",
        tags: { namespace: "shop", pod: "checkout-7d9f-ccccc", env: "test" },
        profiles: ["goroutine"],
      },
    ]);
    expect(api.requests[0]!.headers.authorization).toBe("Bearer service-account-token");
    // A token that expired (410) begins the list again.
    expect(api.asked.map((path) => new URL(path, "http://x").searchParams.get("continue"))).toEqual([
      null,
      "1",
      null,
      "1",
      "2",
      "3",
    ]);
  });

  it("takes the annotations of Prometheus, a namespace and a selector", async () => {
    const annotations = { "prometheus.io/scrape": "true", "prometheus.io/port": "9090" };
    const source = { annotations: "prometheus.io", namespace: "shop", selector: "team=payments" };
    const { api, instances } = await fromCluster([pod("checkout-7d9f-aaaaa", annotations)], source);
    expect(instances[0]).toMatchObject({ instance: "10.2.0.1:9090", profiles: ["cpu", "heap", "goroutine"] });
    expect(api.asked).toEqual(["/api/v1/namespaces/shop/pods?limit=500&labelSelector=team%3Dpayments"]);
  });

  it("says what the service account lacks", async () => {
    await expect(fromCluster([], {}, 403)).rejects.toThrow(
      "Allow this server's service account to list pods in all namespaces (ClusterRole).",
    );
  });

  it("needs the operator's setting, and a cluster", async () => {
    const source = { kind: "kubernetes", namespace: "", selector: "", annotations: "prometheus.io" } as const;
    await expect(found(source, { config: readConfig({}).pull })).rejects.toThrow("PULL_KUBERNETES=on");
    await expect(found(source)).rejects.toThrow("does not run in a Kubernetes cluster");
    const env = {
      PULL_KUBERNETES: "on",
      KUBERNETES_SERVICE_HOST: "fd00::1",
      KUBERNETES_SERVICE_PORT: "6443",
    };
    expect(readConfig(env).pull.kubernetes?.url).toBe("https://[fd00::1]:6443");
  });
});
