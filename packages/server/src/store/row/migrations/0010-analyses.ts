import type { Kysely } from "kysely";

/** Analyses and their queue, what people did with the advice, and what each organization used per day. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createAnalyses(db);
  await db.schema
    .createTable("recommendation_feedback")
    .addColumn("org_id", "text", (column) =>
      column.notNull().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("service", "text", (column) => column.notNull())
    .addColumn("rule", "text", (column) => column.notNull())
    .addColumn("function", "text", (column) => column.notNull())
    .addColumn("category", "text", (column) => column.notNull())
    .addColumn("type", "text", (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("reason", "text")
    .addColumn("given_by", "text", (column) => column.references("users.id").onDelete("set null"))
    .addColumn("given_at", "text", (column) => column.notNull())
    .addColumn("subject_at", "text", (column) => column.notNull())
    .addColumn("effect", "text")
    .addColumn("measure_at", "text")
    .addPrimaryKeyConstraint("recommendation_feedback_pk", ["org_id", "service", "rule", "function"])
    .execute();
  await db.schema
    .createIndex("recommendation_feedback_due")
    .on("recommendation_feedback")
    .columns(["state", "measure_at"])
    .execute();
  await db.schema
    .createTable("analysis_usage")
    .addColumn("org_id", "text", (column) =>
      column.notNull().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("day", "text", (column) => column.notNull())
    .addColumn("analyses", "integer", (column) => column.notNull())
    .addColumn("model_calls", "integer", (column) => column.notNull())
    .addColumn("tokens", "double precision", (column) => column.notNull())
    .addPrimaryKeyConstraint("analysis_usage_pk", ["org_id", "day"])
    .execute();
}

async function createAnalyses(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("analyses")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("org_id", "text", (column) =>
      column.notNull().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("service", "text", (column) => column.notNull())
    .addColumn("type", "text", (column) => column.notNull())
    .addColumn("display_type", "text", (column) => column.notNull())
    .addColumn("profile_id", "text")
    .addColumn("subject", "text", (column) => column.notNull())
    .addColumn("subject_from", "text", (column) => column.notNull())
    .addColumn("subject_to", "text", (column) => column.notNull())
    .addColumn("request_key", "text", (column) => column.notNull())
    .addColumn("options", "text", (column) => column.notNull())
    .addColumn("provider", "text", (column) => column.notNull())
    .addColumn("model", "text")
    .addColumn("status", "text", (column) => column.notNull())
    .addColumn("created_at", "text", (column) => column.notNull())
    .addColumn("created_by", "text", (column) => column.references("users.id").onDelete("set null"))
    .addColumn("started_at", "text")
    .addColumn("completed_at", "text")
    .addColumn("attempts", "integer", (column) => column.notNull())
    .addColumn("holder", "text")
    .addColumn("lease_expires_at", "text")
    .addColumn("result", "text")
    .addColumn("error", "text")
    .addColumn("processing_time_ms", "double precision")
    .addColumn("tokens_used", "integer", (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex("analyses_of_profile")
    .on("analyses")
    .columns(["org_id", "profile_id", "created_at"])
    .execute();
  await db.schema
    .createIndex("analyses_of_service")
    .on("analyses")
    .columns(["org_id", "service", "display_type", "created_at"])
    .execute();
  await db.schema
    .createIndex("analyses_by_status")
    .on("analyses")
    .columns(["status", "created_at"])
    .execute();
}
