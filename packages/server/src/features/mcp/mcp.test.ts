import { limits } from "@flamekeep/contract";
import { minuteMs } from "@flamekeep/contract/durations";
import { buildCallTree } from "@flamekeep/flame";
import { stacksFrom, syntheticStacks } from "@flamekeep/flame/testing";
import { profileOfStacks, type StackTable } from "@flamekeep/profile";
import { profileOf } from "@flamekeep/profile/testing";
import { isFullLength } from "@flamekeep/profile/testing/full-length";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Agent, connectAgent } from "#mcp/testing/agent.ts";
import { quantityText } from "#mcp/text/quantity.ts";
import { type Person, startApp, type TestApp, type TestKey } from "#testing/start-app.ts";
import { storeAlert } from "#testing/store-alert.ts";

let server: TestApp;
let ada: Person;
let ingestKey: TestKey;
let readKey: TestKey;
let agent: Agent;
let profileId: string;
let large:
  | Promise<{ before: ReturnType<typeof sumsOf>; after: ReturnType<typeof sumsOf>; profile_id: string }>
  | undefined;

beforeAll(async () => {
  server = await startApp();
  ada = await server.signUp();
  ingestKey = await server.makeKey(ada);
  readKey = await server.makeKey(ada, "agent", "read");
  const headers = ingestKey.headers;
  const profile = profileOf(
    `
      main.main    main.main
      main.handle  main.idle
      json.Marshal main.wait
      30           10`,
    { sampleTypes: ["cpu/nanoseconds"] },
  );
  const sent = await server.send(profile, { headers, query: { service: "shop", type: "cpu" } });
  profileId = sent.profile_id;
  await server.app.listen({ port: 0, host: "127.0.0.1" });
  agent = await connectWith(readKey.key);
});
afterAll(async () => {
  await agent.close();
  await server.close();
});

/** By function: self and total value, from the stacks alone. */
function sumsOf({ start, frame, frames, length }: StackTable, values: readonly number[]) {
  const self = new Map<string, number>();
  const total = new Map<string, number>();
  const add = (sums: Map<string, number>, name: string, stack: number) =>
    sums.set(name, (sums.get(name) ?? 0) + values[stack]!);
  for (let stack = 0; stack < length; stack++) {
    const ids = frame.subarray(start[stack], start[stack + 1]);
    const names = Array.from(ids, (id) => frames.functionName[id]!);
    add(self, names[0]!, stack);
    for (const name of new Set(names)) add(total, name, stack);
  }
  return { self, total };
}

/** More frames than JSON has, the largest limit below that of a tree. */
const framesMin = isFullLength ? 300_000 : limits.flameGraphJsonNodesMax;

/**
 * Sends two profiles of a graph of more frames than that, an hour and a half ago and now: of the later one a third of the stacks costs
 * twice as much, another third half. Made once.
 */
function sendLarge() {
  large ??= (async () => {
    const stacks = syntheticStacks({ stacks: isFullLength ? 50_000 : 16_000, depth: 77, names: 8000 });
    expect(buildCallTree(stacks, 0).length).toBeGreaterThan(framesMin);
    const earlier = Array.from<number | bigint>(stacks.values[0]!).map(Number);
    const later = earlier.map((value, stack) => Math.ceil(value * [2, 1, 0.5][stack % 3]!));
    const send = (minutesAgo: number, values: readonly number[]) =>
      server.send(profileOfStacks({ ...stacks, values: [Float64Array.from(values)] }), {
        headers: ingestKey.headers,
        query: {
          service: "large",
          type: "cpu",
          started_at: new Date(server.ctx.now().getTime() - minutesAgo * minuteMs).toISOString(),
        },
      });
    await send(90, earlier);
    const { profile_id } = await send(10, later);
    return { before: sumsOf(stacks, earlier), after: sumsOf(stacks, later), profile_id };
  })();
  return large;
}

const connectWith = (key: string) => connectAgent(server, key);

const callTool = (name: string, input: Record<string, unknown> = {}, by = agent) => by.call(name, input);

describe("a coding agent", () => {
  it("sees the tools of its key; each of them only reads", async () => {
    const { tools } = await agent.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      "list_services",
      "list_profiles",
      "list_alerts",
      "list_deploys",
      "compare_ranges",
      "top_functions",
      "callers_and_callees",
      "file_lines",
      "flame_graph",
      "list_labels",
      "list_findings",
      "latest_analyses",
    ]);
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
  });

  it("finds services, profiles, functions and stacks", async () => {
    expect(await callTool("list_services")).toMatch(/^shop: cpu 1; latest /);
    expect(await callTool("list_profiles", { service: "shop" })).toContain(profileId);
    const top = await callTool("top_functions", { service: "shop", type: "cpu" });
    expect(top.split("\n")[1]).toMatch(/^self 75\.0% .*total 75\.0% .* json\.Marshal/);
    const graph = await callTool("flame_graph", { profile_id: profileId, focus: "handle" });
    expect(
      graph
        .split("\n")
        .slice(1)
        .map((line) => line.trimStart()),
    ).toEqual([
      expect.stringMatching(/^75\.0% .* main\.handle/),
      expect.stringMatching(/^75\.0% .* json\.Marshal/),
    ]);
  });

  it("sees frames deeper than JSON goes", async () => {
    const frames = Array.from({ length: 1200 }, (_, level) => `main.f${level}`);
    const stacks = stacksFrom([{ frames, value: 5 }], { type: "cpu", unit: "nanoseconds" });
    const deep = await server.send(profileOfStacks(stacks), {
      headers: ingestKey.headers,
      query: { service: "deep", type: "cpu" },
    });
    const text = await callTool("flame_graph", { profile_id: deep.profile_id, focus: "main.f1199" });
    expect(text).toContain("main.f1199");
    const top = await callTool("top_functions", { profile_id: deep.profile_id, limit: 1 });
    expect(top).toContain("self 100.0%");
  });

  it(`gets sums of all frames of a graph of more than ${framesMin}`, async () => {
    const { after, profile_id } = await sendLarge();
    const whole = [...after.self.values()].reduce((sum, value) => sum + value, 0);
    const [[first, value]] = [...after.self].sort(([, a], [, b]) => b - a) as [[string, number]];
    for (const graph of [{ profile_id }, { service: "large", type: "cpu" }]) {
      const top = await callTool("top_functions", { ...graph, limit: 1 });
      const line = top.split("\n")[1]!;
      expect(line).toContain(first);
      expect(line).toMatch(new RegExp(`^self ${((100 * value) / whole).toFixed(1)}% `));
      const focused = await callTool("flame_graph", { ...graph, focus: first, min_percent: 0 });
      // Recursion counts once in both.
      const total = /total (.+?) {2}/.exec(line)?.[1];
      expect(focused.split("\n")[1]).toMatch(new RegExp(`^${total}`));
    }
  });

  it(`compares two ranges by all frames of graphs of more than ${framesMin}`, async () => {
    const { before, after } = await sendLarge();
    const lines = (await agent.readAll("compare_ranges", { service: "large", type: "cpu", limit: 50 })).split(
      "\n",
    );
    expect(lines.length).toBeGreaterThan(100);
    const change = (name: string) => (after.self.get(name) ?? 0) - (before.self.get(name) ?? 0);
    const names = [...before.total.keys()].toSorted((a, b) => change(b) - change(a));
    const unit = "nanoseconds";
    const lineOf = (name: string) => {
      const pair = (of: "self" | "total") => {
        const [from, to] = [before, after].map((side) =>
          quantityText(side[of].get(name) ?? 0, unit).split(" "),
        );
        return `${from![1] === to![1] ? from![0] : from!.join(" ")} -> ${to!.join(" ")}`;
      };
      const [self, total] = [pair("self"), pair("total")];
      return `  ${name}: self ${self}${self === total ? "" : `; total ${total}`}`;
    };
    const [grown, shrunk] = ["grew most", "shrank most"].map((title) => {
      const from = lines.findIndex((line) => line.startsWith(title)) + 1;
      return lines.slice(from, from + 50);
    });
    // Functions that changed alike come in any order.
    expect(grown!.toSorted()).toEqual(names.slice(0, 50).map(lineOf).toSorted());
    expect(shrunk!.toSorted()).toEqual(names.slice(-50).map(lineOf).toSorted());
  });

  it("compares two ranges per second, and per profile where the profiles have no duration", async () => {
    const sendAt = (service: string, minutesAgo: number, value: number, durationNs: bigint) =>
      server.send(profileOf(`main.main\n${value}`, { sampleTypes: ["cpu/nanoseconds"], durationNs }), {
        headers: ingestKey.headers,
        query: {
          service,
          type: "cpu",
          started_at: new Date(server.ctx.now().getTime() - minutesAgo * minuteMs).toISOString(),
        },
      });
    for (const [service, durationNs] of [
      ["timed", 10_000_000_000n],
      ["snapshots", 0n],
    ] as const) {
      await sendAt(service, 90, 200, durationNs);
      await sendAt(service, 80, 200, durationNs);
      await sendAt(service, 10, 500, durationNs);
    }
    const timed = await callTool("compare_ranges", { service: "timed", type: "cpu" });
    expect(timed).toContain("whole: 0.00000002 -> 0.00000005 cores (+150.0%)");
    expect(timed).toMatch(
      /\(own: with the libraries that it calls\):\n {2}main\.main: own 0\.00000002 -> 0\.00000005 cores\n/,
    );
    expect(timed).toContain("explained: 1 of 1 changed functions is 100% of the change of self values");
    expect(timed).toContain("values: cpu, CPU of one instance: 1 core is a second of CPU time each second");
    const snapshots = await callTool("compare_ranges", { service: "snapshots", type: "cpu" });
    expect(snapshots).toContain("whole: 200 -> 500 ns (+150.0%)");
    expect(snapshots).toContain("values: cpu, in one profile");
    expect(snapshots).toContain("main.main: self 200 -> 500 ns");
    // The profile at which both ranges meet is only in the second one.
    await sendAt("meeting", 61, 100, 0n);
    await sendAt("meeting", 60, 500, 0n);
    const meeting = await callTool("compare_ranges", { service: "meeting", type: "cpu" });
    expect(meeting).toContain("whole: 100 -> 500 ns (+400.0%)");
    const wrong = await callTool("compare_ranges", { service: "timed", type: "cpu", after_from: "soon" });
    expect(wrong).toContain("after_from must be");
  });

  it("sees which function waits, not the function of the runtime in which it waits", async () => {
    const sendAt = (minutesAgo: number, value: number) =>
      server.send(
        profileOf(
          `
          main.main
          shop.ask
          runtime.chansend1
          runtime.gopark
          ${value}`,
          { sampleTypes: ["goroutine/count"] },
        ),
        {
          headers: ingestKey.headers,
          query: {
            service: "waiting",
            type: "goroutine",
            started_at: new Date(server.ctx.now().getTime() - minutesAgo * minuteMs).toISOString(),
          },
        },
      );
    await sendAt(90, 4);
    const { profile_id } = await sendAt(10, 9);
    const lines = (await callTool("compare_ranges", { service: "waiting", type: "goroutine" })).split("\n");
    const first = lines.findIndex((line) => line.startsWith("grew most")) + 1;
    expect(lines[first]).toBe("  shop.ask: self 4 -> 9 goroutines");
    for (const input of [{ service: "waiting", type: "goroutine" }, { profile_id }]) {
      const [, top] = (await callTool("top_functions", input)).split("\n");
      expect(top).toBe("self 100.0% 9 goroutine, total 100.0% 9 goroutine  shop.ask");
    }
  });

  it("reads the advice of analyses, of ranges too, and what people said about it", async () => {
    const picture = `
      main.main      main.main
      shop.serve     shop.serve
      shop.highlight shop.rank
      regexp.Compile _
      regexp.compile _
      30             10`;
    const profile = profileOf(picture, {
      sampleTypes: ["cpu/nanoseconds"],
      durationNs: 10_000_000_000n,
    });
    const query = { service: "advised", type: "cpu" };
    const sent = await server.send(profile, { headers: ingestKey.headers, query });
    const call = async (method: "POST" | "PUT", path: string, payload: object) => {
      const url = `/api/v1/protected/${path}`;
      const reply = await server.app.inject({ method, url, headers: ada.headers, payload });
      expect(reply.statusCode).toBe(200);
      return reply.json();
    };
    const { id } = await call("POST", `profile/${sent.profile_id}/analyze`, {});
    await call("POST", "service/advised/analyze", { from: "1h", type: "cpu" });
    const read = () => callTool("latest_analyses", { service: "advised" });
    // A key has 120 calls a minute.
    await expect.poll(read, { timeout: 120_000, interval: 2000 }).toMatch(/completed(.|\n)*completed/);
    expect(await read()).toMatch(
      /^cpu, \S+Z, completed, analysis_id \S+:\n- r1 low: shop\.highlight spends .* compiling regular expressions: .*\n {2}shop\.highlight, /,
    );
    expect(await read()).toMatch(/\n\ncpu from \S+Z to \S+Z, /);
    const list = await callTool("list_findings", { service: "advised" });
    expect(list).toMatch(
      /^\d+ open or accepted findings, which save \d\S* cores and 0 B together:\n- advised cpu low: /,
    );
    expect(list).toMatch(/shop\.highlight.*; costs \d\S* cores, saves .*; open; analysis_id \S+ finding r1/);
    const feedback = { state: "dismissed", reason: "Runs once\na day" };
    await call("PUT", `analysis/${id}/recommendation/r1/feedback`, feedback);
    expect(await read()).toContain("- r1 low, dismissed: Runs once\ufffda day: ");
  });

  it("reads what to correct", async () => {
    const wrongTime = await agent.client.callTool({
      name: "top_functions",
      arguments: { service: "shop", type: "cpu", from: "soon" },
    });
    expect(wrongTime).toMatchObject({ isError: true });
    expect(JSON.stringify(wrongTime.content)).toContain("from must be a span back from now");
    expect(await callTool("top_functions")).toBe("Give service and type, or profile_id.");
    expect(await callTool("flame_graph", { profile_id: "0".repeat(32) })).toMatch(/not found/);
    expect(await callTool("list_alerts")).toBe("No alerts.");
    expect(await callTool("latest_analyses", { service: "shop" })).toMatch(/^No analysis of this service/);
    expect(await callTool("list_findings", { service: "shop" })).toMatch(/^No open findings\. /);
  });

  it("sees nothing of another organization", async () => {
    const eve = await server.signUp();
    const evesKey = await server.makeKey(eve, "agent", "read");
    const other = await connectWith(evesKey.key);
    expect(await callTool("list_services", {}, other)).toBe("No service sent profiles in this range.");
    expect(await callTool("flame_graph", { profile_id: profileId }, other)).toMatch(/not found/);
    await other.close();
  });

  it("reads alerts as people do: routes, readable values, and only functions that grew", async () => {
    const grown = (name: string, share: number, ownShare = 0) => {
      const sums = { selfBefore: 0, selfAfter: share, totalBefore: 0, totalAfter: share };
      return { name, ...sums, share, totalShare: share, ownShare };
    };
    const at = server.ctx.now().toISOString();
    const { orgId } = ada;
    const store = (service: string, change: Parameters<typeof storeAlert>[2]) =>
      storeAlert(server.rows, { orgId, service, at, profileId }, change);
    await store("checkout", {
      sampleType: "http_p95/seconds POST /cart/quote",
      ...{ previousValue: 0.0056, currentValue: 0.0176, increase: 2.143 },
    });
    const functions = [
      grown("pricing.hash", 0.62, 0.9),
      grown("json.Encode", 0.08),
      grown("runtime.futex", 0.07),
      grown("main.rest", 0.004),
    ];
    await store("pricing", {
      ...{ previousValue: 313e6, currentValue: 512e6, increase: 0.636 },
      functions: JSON.stringify(functions),
    });
    const leak = { type: "goroutine_leak", sampleType: "goroutineleak/count" };
    await store("florist", { ...leak, previousValue: 0, currentValue: 12, increase: 0 });
    const text = await callTool("list_alerts");
    expect(text).toContain("p95 of POST /cart/quote in checkout +214.3% (5.6 ms -> 17.6 ms)");
    expect(text).toContain("CPU of pricing +63.6% (0.313 cores -> 0.512 cores)");
    expect(text).toContain("leaked goroutines of florist new (0 goroutines -> 12 goroutines)");
    const named = text.split("\n").filter((line) => line.includes("of the increase"));
    expect(named).toEqual([
      "  pricing.hash: 90% of the increase, with what it calls",
      "  json.Encode: 8% of the increase",
    ]);
    await server.rows.deleteFrom("alerts").where("orgId", "=", orgId).execute();

    const culprit = { file: "/app/hash.go", line: 12, path: ["main.main", "http.serve", "pricing.hash"] };
    const release = { before: "1.7.2", after: "1.8.0", at, instances: { running: 1, all: 10 } };
    const id = await store("canary", {
      ...{ previousValue: 1e9, currentValue: 2e9, increase: 1 },
      functions: JSON.stringify([{ ...grown("pricing.hash", 0.62, 0.9), ...culprit }]),
      circumstances: JSON.stringify({ release }),
      reference: JSON.stringify({
        ...{ atMs: 0, previous: 1e9, usual: { values: [], requests: [] }, perHour: 0.1 },
        scope: { instances: ["pod-7"], version: "1.8.0", above: 0.7 },
      }),
    });
    expect((await callTool("list_alerts")).split("\n").slice(2)).toEqual([
      "  pricing.hash: 90% of the increase, with what it calls",
      "    at /app/hash.go:12",
      "    called by main.main > http.serve > pricing.hash",
      `  It grows by 0.2 cores an hour (10.0%) and has doubled since ${at}.`,
      "  Version 1.8.0 runs on 1 of 10 instances",
      "  only on pod-7, version 1.8.0",
      `  incident ${id}: ${server.ctx.config.publicUrl}/alerts?incident=${id}`,
    ]);
    await server.rows.deleteFrom("alerts").where("orgId", "=", orgId).execute();

    await store("checkout", {
      sampleType: "function/cpu/nanoseconds pricing.Seal",
      ...{ previousValue: 12e7, currentValue: 25e7, increase: 1.083 },
      functions: JSON.stringify([
        { ...grown("pricing.Seal", 0, 0.5), ...culprit },
        { ...grown("sha256.block", 0.9), totalBefore: 3e7, totalAfter: 6e7 },
      ]),
      circumstances: JSON.stringify({ release: null, serviceIncrease: -0.08 }),
    });
    const lines = (await callTool("list_alerts")).split("\n");
    expect(lines[0]).toContain("CPU of pricing.Seal in checkout +108.3% (0.12 cores -> 0.25 cores)");
    expect(lines.slice(2, 4)).toEqual(["  pricing.Seal", "    at /app/hash.go:12"]);
    expect(lines.filter((line) => line.includes("sha256.block"))).toEqual([
      "  also sha256.block: 0.03 cores -> 0.06 cores, with what it calls",
    ]);
    expect(lines.join("\n")).not.toContain("of the increase");
    expect(lines).toContain("  while checkout as a whole changed by -8%");
    await server.rows.deleteFrom("alerts").where("orgId", "=", orgId).execute();
  });

  it("may try the demo with the placeholder key", async () => {
    // Alone: a server that listens sends the demo's week.
    const withDemo = await startApp({ env: { DEMO: "on" } });
    await withDemo.app.listen({ port: 0, host: "127.0.0.1" });
    const demo = await connectAgent(withDemo, "test-api-key");
    expect((await demo.client.listTools()).tools.length).toBeGreaterThan(0);
    await demo.close();
    await withDemo.close();
  });
});

describe("keys", () => {
  const listTools = { jsonrpc: "2.0", id: 1, method: "tools/list" };

  it("that send profiles cannot read", async () => {
    const reply = await server.app.inject({
      method: "POST",
      url: "/mcp",
      headers: ingestKey.headers,
      payload: listTools,
    });
    expect([reply.statusCode, reply.json().error]).toEqual([
      403,
      "This API key can only send profiles. Create one that reads (scope read) under Settings, API Keys.",
    ]);
  });

  it("that read cannot send profiles, nor open the pages of a person", async () => {
    const sent = await server.trySend(profileOf("main.main\n1"), { headers: readKey.headers });
    expect([sent.statusCode, sent.json().error]).toEqual([
      403,
      "This API key is read-only. Use a key with the scope ingest to send profiles.",
    ]);
    const headers = { authorization: `Bearer ${readKey.key}` };
    const reply = await server.app.inject({ url: "/api/v1/protected/services", headers });
    expect(reply.statusCode).toBe(401);
  });
});
