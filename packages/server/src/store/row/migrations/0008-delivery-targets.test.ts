import { randomBytes, randomUUID } from "node:crypto";
import { type Kysely, sql } from "kysely";
import { describe, expect, it } from "vitest";
import { parseTargets } from "#store/row/delivery-targets.ts";
import { openRowStore } from "#store/row/row-store.ts";
import { openSeal } from "#store/row/seal.ts";
import { quietLog, rowBackends } from "#store/testing/backends.ts";
import { up } from "./0008-delivery-targets.ts";

const backends = await rowBackends();

const at = "2026-11-20T12:00:00.000Z";
const seal = openSeal([randomBytes(32)]);

describe.each(backends)("the migration of delivery targets on $name", (backend) => {
  it("moves every column into one, and leaves encrypted secrets as they are", async () => {
    const place = await backend.create();
    const rows = await openRowStore(place.config, quietLog);
    const former = rows.withoutPlugins();
    await former.schema.dropTable("alert_settings").execute();
    await former.schema
      .createTable("alert_settings")
      .addColumn("org_id", "text", (column) => column.primaryKey())
      .addColumn("webhook_url", "text")
      .addColumn("webhook_secret", "text")
      .addColumn("slack_url", "text")
      .addColumn("emails", "text", (column) => column.notNull())
      .addColumn("updated_at", "text", (column) => column.notNull())
      .addColumn("is_sealed", "integer", (column) => column.notNull().defaultTo(0))
      .execute();
    const [ada, eve] = [randomUUID(), randomUUID()];
    const sealed = (field: string) => seal.seal(`the ${field} of Ada`, { orgId: ada, field });
    const [url, secret, slackUrl] = [sealed("webhookUrl"), sealed("webhookSecret"), sealed("slackUrl")];
    await sql`INSERT INTO alert_settings VALUES
      (${ada}, ${url}, ${secret}, ${slackUrl}, '["oncall@example.com"]', ${at}, 1),
      (${eve}, null, 'plain', null, '[]', ${at}, 0)`.execute(former);
    await up(former as unknown as Kysely<unknown>);
    const stored = await rows.selectFrom("alertSettings").selectAll().execute();
    expect(stored).toHaveLength(2);
    const of = (orgId: string) => stored.find((row) => row.orgId === orgId)!;
    expect(parseTargets(of(ada).targets)).toEqual({
      webhook: { secrets: { url, secret }, settings: {} },
      slack: { secrets: { url: slackUrl }, settings: {} },
      email: { secrets: {}, settings: { addresses: ["oncall@example.com"] } },
    });
    expect(parseTargets(of(eve).targets)).toEqual({
      webhook: { secrets: { secret: "plain" }, settings: {} },
      slack: { secrets: {}, settings: {} },
      email: { secrets: {}, settings: { addresses: [] } },
    });
    expect([of(ada).isSealed, of(eve).isSealed]).toEqual([1, 0]);
    expect(of(ada).updatedAt).toBe(at);
    await rows.destroy();
    await place.remove();
  });
});
