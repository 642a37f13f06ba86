import { type Kysely, sql } from "kysely";

interface Row {
  readonly org_id: string;
  readonly webhook_url: string | null;
  readonly webhook_secret: string | null;
  readonly slack_url: string | null;
  readonly emails: string;
}

/** Moves where alerts are delivered into one column of JSON. Secrets are moved as they are: encrypted ones stay encrypted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("alert_settings")
    .addColumn("targets", "text", (column) => column.notNull().defaultTo("{}"))
    .execute();
  const { rows } = await sql<Row>`
    SELECT org_id, webhook_url, webhook_secret, slack_url, emails FROM alert_settings`.execute(db);
  for (const row of rows) {
    await sql`UPDATE alert_settings SET targets = ${targetsOf(row)} WHERE org_id = ${row.org_id}`.execute(db);
  }
  for (const column of ["webhook_url", "webhook_secret", "slack_url", "emails"]) {
    await db.schema.alterTable("alert_settings").dropColumn(column).execute();
  }
}

function targetsOf({ webhook_url, webhook_secret, slack_url, emails }: Row): string {
  const secrets = (values: Readonly<Record<string, string | null>>) => ({
    secrets: Object.fromEntries(Object.entries(values).filter(([, text]) => text !== null)),
    settings: {},
  });
  return JSON.stringify({
    webhook: secrets({ url: webhook_url, secret: webhook_secret }),
    slack: secrets({ url: slack_url }),
    email: { secrets: {}, settings: { addresses: JSON.parse(emails) } },
  });
}
