import type * as calls from "@flamekeep/contract";
import type { AccountSession, ReplyOf } from "@flamekeep/contract";
import type { Context, DemoActor, UserActor } from "#context";
import { deviceOf } from "./device.ts";
import { placeOf } from "./place.ts";
import { type SessionRow, sessionsOf } from "./queries.ts";

/** The person's sessions in all organizations. Visitors of the demo have none. */
export async function listSessions(
  ctx: Context,
  actor: UserActor | DemoActor,
): Promise<ReplyOf<typeof calls.listSessions>> {
  if (actor.kind === "demo") return { sessions: [] };
  const rows = await sessionsOf(ctx.rows, actor.userId, ctx.now());
  return { sessions: rows.map((row) => presentSession(row, actor.sessionId)) };
}

function presentSession(row: SessionRow, currentId: string): AccountSession {
  const { name, kind } = deviceOf(row.userAgent);
  return {
    id: row.id,
    device: name,
    device_kind: kind,
    address: row.address,
    place: placeOf(row.address),
    created_at: row.createdAt,
    last_used_at: row.lastUsedAt ?? row.createdAt,
    is_current: row.id === currentId,
  };
}
