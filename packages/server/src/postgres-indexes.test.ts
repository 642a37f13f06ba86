import { profileOf } from "@flamekeep/profile/testing";
import {
  CompiledQuery,
  createQueryId,
  type KyselyPlugin,
  type RootOperationNode,
  SelectQueryNode,
  sql,
} from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rowBackends } from "#store/testing/backends.ts";
import type { TestApp } from "#testing/start-app.ts";
import { startAppOn } from "#testing/start-app-on.ts";

const postgres = (await rowBackends()).find(({ name }) => name === "PostgreSQL");
const organizations = 100;
const rowsOfEach = 50;

const time = "'2026-11-20T09:00:00.000Z'";

/** Rows of each organization by table: columns and their values, for organization `o` and row `n`. */
const rows: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  users: {
    id: "'user-' || o || '-' || n",
    email: "'user-' || o || '-' || n",
    email_key: "'user-' || o || '-' || n",
    password_hash: "''",
    first_name: "''",
    last_name: "''",
    created_at: time,
  },
  memberships: {
    org_id: "'org-' || o",
    user_id: "'user-' || o || '-' || n",
    role: "'member'",
    created_at: time,
  },
  sessions: {
    id: "'session-' || o || '-' || n",
    user_id: "'user-' || o || '-' || n",
    org_id: "'org-' || o",
    created_at: time,
    expires_at: "'2027'",
  },
  alerts: {
    id: "'alert-' || o || '-' || n",
    org_id: "'org-' || o",
    incident_id: "'alert-' || o || '-' || n",
    service: "'service-' || n",
    type: "'cpu'",
    sample_type: "'cpu/nanoseconds'",
    profile_id: "''",
    opened_at: time,
    previous_value: "1",
    current_value: "2",
    increase: "1",
    baseline_from: time,
    baseline_to: time,
    current_from: time,
    current_to: time,
    functions: "'[]'",
    reference: "'{}'",
  },
  findings: {
    id: "'finding-' || o || '-' || n",
    org_id: "'org-' || o",
    service: "'service-' || n",
    rule: "'rule'",
    function: "'main'",
    display_type: "'cpu'",
    category: "'other'",
    is_current: "1",
    first_seen_at: time,
    last_seen_at: time,
    analysis_id: "''",
    priority: "'low'",
    in_use: "1",
    share: "1",
    saving: "1",
    finding: "'{}'",
  },
  projects: {
    id: "'project-' || o || '-' || n",
    org_id: "'org-' || o",
    name: "'project-' || n",
    description: "''",
    status: "'active'",
    tags: "'[]'",
    member_count: "1",
    created_at: time,
    updated_at: time,
  },
  api_keys: {
    id: "'key-' || o || '-' || n",
    org_id: "'org-' || o",
    public_id: "'key-' || o || '-' || n",
    secret_hash: "''",
    name: "''",
    prefix: "''",
    created_at: time,
    updated_at: time,
  },
  alert_coverage: { org_id: "'org-' || o", service: "'service-' || n", judged_at: time, coverage: "'{}'" },
};

const calls = [
  "alerts",
  "incidents",
  "alerts/mutes",
  "alerts/coverage/service/service-1",
  "findings",
  "projects",
  "senders",
  "services/trends",
  "organization",
  "organization/members",
  "organization/figures",
  "api-keys",
  "user/profile",
  "user/sessions",
];

interface Plan {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly Plans?: readonly Plan[];
}

function scannedIn({ Plans = [], ...plan }: Plan): string[] {
  const own = plan["Node Type"] === "Seq Scan" ? [plan["Relation Name"] ?? "?"] : [];
  return [...own, ...Plans.flatMap(scannedIn)];
}

describe.skipIf(postgres === undefined)("with PostgreSQL and the rows of 100 organizations", () => {
  let server: TestApp;
  beforeAll(async () => {
    server = await startAppOn(postgres!);
    await sql`INSERT INTO organizations (id, name, created_at)
      SELECT 'org-' || o, '', '2026' FROM generate_series(1, ${sql.lit(organizations)}) AS o`.execute(
      server.rows,
    );
    for (const [table, columns] of Object.entries(rows)) {
      const [names, values] = [Object.keys(columns).join(", "), Object.values(columns).join(", ")];
      await sql
        .raw(
          `INSERT INTO ${table} (${names}) SELECT ${values}
           FROM generate_series(1, ${organizations}) AS o, generate_series(1, ${rowsOfEach}) AS n`,
        )
        .execute(server.rows);
    }
    await sql`ANALYZE`.execute(server.rows);
  });
  afterAll(() => server.close());

  it("no statement of lists, of an upload and of a sign-in reads a whole table", async () => {
    const person = await server.signUp();
    const { headers } = await server.makeKey(person);
    const selects: RootOperationNode[] = [];
    // Subqueries are transformed too, and are not run alone.
    const built = new WeakMap<object, RootOperationNode>();
    const keeping: KyselyPlugin = {
      transformQuery({ node, queryId }) {
        built.set(queryId, node);
        return node;
      },
      async transformResult({ result, queryId }) {
        const node = built.get(queryId);
        if (node !== undefined && SelectQueryNode.is(node)) selects.push(node);
        return result;
      },
    };
    const app = await server.createApp({ rows: server.ctx.rows.withPlugin(keeping) });
    for (const path of calls) {
      const reply = await app.inject({ url: `/api/v1/protected/${path}`, headers: person.headers });
      expect([path, reply.statusCode]).toEqual([path, 200]);
    }
    const { email, password } = person;
    expect(
      (await app.inject({ method: "POST", url: "/auth/login", payload: { email, password } })).statusCode,
    ).toBe(200);
    await server.send(profileOf("main\n1", { sampleTypes: ["samples/count"] }), { headers, app });
    await app.close();
    const executor = server.rows.getExecutor();
    const scansOf = async (text: string, parameters: readonly unknown[]) => {
      const explain = CompiledQuery.raw(`EXPLAIN (FORMAT JSON) ${text}`, [...parameters]);
      const { rows: plans } = await executor.executeQuery<Record<string, [{ Plan: Plan }]>>(explain);
      const [{ Plan: plan }] = Object.values(plans[0]!)[0]!;
      return scannedIn(plan).filter((table) => table in rows);
    };
    const scanned: string[] = [];
    for (const node of selects) {
      const { sql: text, parameters } = executor.compileQuery(node, createQueryId());
      const tables = await scansOf(text, parameters);
      scanned.push(...tables.map((table) => `${table}: ${text}`));
    }
    expect(await scansOf("SELECT * FROM findings WHERE priority = $1", ["low"])).toEqual(["findings"]);
    expect(selects.length).toBeGreaterThan(20);
    expect(scanned).toEqual([]);
  });
});
