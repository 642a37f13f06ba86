import {
  analyzeService,
  commentIncident,
  createProject,
  giveFeedback,
  listAuditEntries,
} from "@flamekeep/contract";
import { profileOf } from "@flamekeep/profile/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Actor } from "#context";
import { callLocally } from "#http/endpoint/local-calls.ts";
import { type Agent, connectAgent } from "#mcp/testing/agent.ts";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";
import { storeAlert } from "#testing/store-alert.ts";

const writing = ["start_analysis", "mark_finding", "comment_incident"];

let server: TestApp;
let ada: Person;
let agent: Agent;
let keyId: string;
let profileId: string;

beforeAll(async () => {
  server = await startApp();
  ada = await server.signUp();
  const { headers } = await server.makeKey(ada);
  const key = await server.makeKey(ada, "agent", "read_write");
  keyId = key.id;
  const picture = `
    main.main      main.main
    shop.serve     shop.serve
    shop.highlight shop.rank
    regexp.Compile _
    regexp.compile _
    30             10`;
  const profile = profileOf(picture, { sampleTypes: ["cpu/nanoseconds"], durationNs: 10_000_000_000n });
  const query = { service: "checkout", type: "cpu" };
  profileId = (await server.send(profile, { headers, query })).profile_id;
  await server.app.listen({ port: 0, host: "127.0.0.1" });
  agent = await connectAgent(server, key.key);
});
afterAll(async () => {
  await agent.close();
  await server.close();
});

async function toolsOf(each: Agent): Promise<readonly string[]> {
  const { tools } = await each.client.listTools();
  return tools.filter(({ annotations }) => annotations?.readOnlyHint !== true).map(({ name }) => name);
}

async function auditOf(person: Person) {
  const url = listAuditEntries.path;
  const reply = await server.app.inject({ url, headers: person.headers });
  return (reply.json().entries as { event: string; actor: string | null; target: string | null }[]).map(
    ({ event, actor, target }) => [event, actor, target],
  );
}

describe("a key that reads and writes", () => {
  it("starts an analysis, reads its findings and marks one as done", async () => {
    expect(await toolsOf(agent)).toEqual(writing);
    const started = await agent.call("start_analysis", { service: "checkout" });
    const id = /^Analysis (\S+) is pending\. /.exec(started)![1]!;
    const read = () => agent.call("latest_analyses", { analysis_id: id });
    // A key has 120 calls a minute.
    await expect.poll(read, { timeout: 120_000, interval: 1000 }).toMatch(/, completed, /);
    expect(await read()).toMatch(/\n- r1 low: shop\.highlight spends /);
    const dismissed = { analysis_id: id, finding: "r1", state: "dismissed" };
    expect(await agent.call("mark_finding", dismissed)).toBe(
      "Field 'reason' is required to dismiss a recommendation",
    );
    const accepted = { analysis_id: id, finding: "r1", state: "accepted" };
    expect(await agent.call("mark_finding", accepted)).toMatch(/^- r1 low, accepted: /);
    expect(await agent.call("list_findings")).toMatch(/\n- checkout cpu low: .*; accepted; analysis_id /);
    const done = await agent.call("mark_finding", { analysis_id: id, finding: "r1", state: "done" });
    expect(done).toMatch(/^- r1 low, done, waiting: /);
    expect(await read()).toContain("- r1 low, done, waiting: ");
    expect(await auditOf(ada)).toContainEqual(["analysis.started", "API key", "service checkout"]);
  });

  it("analyses one profile, and what changed since a baseline", async () => {
    expect(await agent.call("start_analysis", { profile_id: profileId })).toMatch(/^Analysis \S+ is pending/);
    const compared = { service: "checkout", baseline_from: "3h", baseline_to: "2h" };
    expect(await agent.call("start_analysis", compared)).toBe(
      "checkout has no cpu profiles in this range. Choose another range.",
    );
    expect(await agent.call("start_analysis")).toBe("Give service, or profile_id.");
  });

  it("comments on an incident for the person who created the key, and says so", async () => {
    const at = server.ctx.now().toISOString();
    const alert = { orgId: ada.orgId, service: "checkout", at, profileId };
    const id = await storeAlert(server.rows, alert, { previousValue: 1e9, currentValue: 2e9, increase: 1 });
    const text = "shop.highlight compiles a pattern per call: /app/highlight.go:12.";
    const answer = await agent.call("comment_incident", { incident: id, text });
    expect(answer).toBe(`Commented: ${server.ctx.config.publicUrl}/alerts?incident=${id}`);
    const url = `/api/v1/protected/incidents/${id}`;
    const { comments } = (await server.app.inject({ url, headers: ada.headers })).json();
    expect(comments).toMatchObject([
      { by: "Ada Lovelace", is_yours: true, text: `Written by a coding agent: ${text}` },
    ]);
    expect(await auditOf(ada)).toContainEqual(["incident.commented", "API key", "checkout"]);
  });

  it("changes nothing of another organization", async () => {
    const eve = await server.signUp();
    const evesAgent = await connectAgent(server, (await server.makeKey(eve, "agent", "read_write")).key);
    const { id } = await server.rows
      .selectFrom("alerts")
      .select("id")
      .where("orgId", "=", ada.orgId)
      .executeTakeFirstOrThrow();
    const analysis = await server.rows
      .selectFrom("analyses")
      .select("id")
      .where("orgId", "=", ada.orgId)
      .executeTakeFirstOrThrow();
    const refused = [
      await evesAgent.call("comment_incident", { incident: id, text: "x" }),
      await evesAgent.call("mark_finding", { analysis_id: analysis.id, finding: "r1", state: "open" }),
      await evesAgent.call("latest_analyses", { analysis_id: analysis.id }),
      await evesAgent.call("start_analysis", { profile_id: profileId }),
      await evesAgent.call("start_analysis", { service: "checkout" }),
    ];
    for (const text of refused) expect(text).toMatch(/not found|has no cpu profiles/);
    await evesAgent.close();
  });
});

describe("who may not write", () => {
  const from = (actor: Actor) => ({ actor, caller: { headers: {} } as never });
  const request = { params: { service: "checkout" }, body: { from: "1h", type: "cpu" } };

  it("a key that only reads sees no tool that changes something, and its calls are refused", async () => {
    const { key } = await server.makeKey(ada, "reader", "read");
    const reader = await connectAgent(server, key);
    expect(await toolsOf(reader)).toEqual([]);
    for (const tool of writing) {
      const call = reader.client.callTool({ name: tool, arguments: { service: "checkout" } });
      await expect(call).rejects.toThrow(/not found/);
    }
    await reader.close();
    const actor = { kind: "key", scope: "read", orgId: ada.orgId, keyId } as Actor;
    for (const call of [analyzeService, giveFeedback, commentIncident]) {
      await expect(callLocally(server.app, call, from(actor), request)).rejects.toThrow(/only reads/);
    }
  });

  it("a key that writes makes no other change", async () => {
    const actor = { kind: "key", scope: "read_write", orgId: ada.orgId, keyId } as Actor;
    const call = callLocally(server.app, createProject, from(actor), { body: { name: "x" } });
    await expect(call).rejects.toThrow("This call is not open to coding agents");
  });

  it("the demo starts analyses and marks nothing", async () => {
    // Alone: a server that listens sends the demo's week.
    const withDemo = await startApp({ env: { DEMO: "on" } });
    await withDemo.app.listen({ port: 0, host: "127.0.0.1" });
    const demo = await connectAgent(withDemo, "test-api-key");
    expect(await toolsOf(demo)).toEqual(["start_analysis"]);
    await demo.close();
    await withDemo.close();
  });
});
