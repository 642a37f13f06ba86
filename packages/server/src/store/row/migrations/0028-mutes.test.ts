import { randomUUID } from "node:crypto";
import { type Kysely, sql } from "kysely";
import { describe, expect, it } from "vitest";
import { openRowStore } from "#store/row/row-store.ts";
import { quietLog, rowBackends } from "#store/testing/backends.ts";
import { up } from "./0028-mutes.ts";

const backends = await rowBackends();

const at = "2026-11-20T12:00:00.000Z";
const until = "2026-11-21T12:00:00.000Z";

describe.each(backends)("the migration of mutes on $name", (backend) => {
  it("keeps each mute with its end, as one of its service and type from when it was made", async () => {
    const place = await backend.create();
    const rows = await openRowStore(place.config, quietLog);
    const former = rows.withoutPlugins();
    const orgId = randomUUID();
    await rows
      .insertInto("organizations")
      .values({ id: orgId, name: "Acme", isDemo: 0, createdAt: at })
      .execute();
    await former.schema.dropTable("alert_mutes").execute();
    await sql`CREATE TABLE alert_mutes (org_id text NOT NULL, service text NOT NULL, type text NOT NULL,
      muted_by text, created_at text NOT NULL, until text, PRIMARY KEY (org_id, service, type))`.execute(
      former,
    );
    await sql`INSERT INTO alert_mutes VALUES (${orgId}, 'checkout', 'cpu', null, ${at}, null),
      (${orgId}, 'checkout', 'memory', null, ${at}, ${until})`.execute(former);
    await up(former as unknown as Kysely<unknown>);
    const stored = await rows
      .selectFrom("alertMutes")
      .selectAll()
      .where("orgId", "=", orgId)
      .orderBy("type")
      .execute();
    const common = { orgId, service: "checkout", tags: "{}", reason: "", createdAt: at, startsAt: at };
    expect(stored).toMatchObject([
      { ...common, type: "cpu", until: null },
      { ...common, type: "memory", until },
    ]);
    await rows.destroy();
    await place.remove();
  });
});
