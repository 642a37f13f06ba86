import type { InsertBatch } from "#store/column/column-store.ts";
import { hourOf } from "#store/column/utc.ts";
import { testOrg } from "./profile-rows.ts";

export interface RequestRow {
  readonly orgId?: string;
  readonly service?: string;
  /** `2026-11-20 10:00:00.000`. */
  readonly at: string;
  readonly seconds: number;
  readonly status: number;
  readonly profileId?: string;
}

const columns = [
  "org_id",
  "service",
  "at",
  "duration_seconds",
  "status_code",
  "method",
  "path",
  "request_id",
  "profile_id",
];

/** The insert ingestion makes for HTTP requests, all to `GET /`. */
export function requestBatch(requests: readonly RequestRow[], dedupToken: string): InsertBatch {
  const lines = requests.map(({ orgId = testOrg, service = "api", at, seconds, status, profileId = "p" }) =>
    JSON.stringify([orgId, service, at, seconds, status, "GET", "/", "r", profileId]),
  );
  const hours = requests.map(({ orgId = testOrg, service = "api", at }) => ({
    orgId,
    service,
    hourSeconds: hourOf(Math.floor(Date.parse(`${at.replace(" ", "T")}Z`) / 1000)),
  }));
  return { table: "http_requests", columns, rows: lines.join("\n"), dedupToken, hours };
}
