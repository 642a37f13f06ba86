import { minuteMs } from "@flamekeep/contract/durations";
import { SharedGraph, SharedLook } from "@flamekeep/contract/schemas";
import type { Selectable } from "kysely";
import { opaqueTokenHash } from "#auth/tokens/opaque-token.ts";
import { type Context, openedOrgId } from "#context";
import { Failure } from "#failure";
import { acrossOrganizations, type Database, type RowStore } from "#store/row/row-store.ts";

export type OpenedLink = Omit<
  Selectable<Database["sharedLinks"]>,
  "tokenHash" | "createdBy" | "createdAt" | "graph" | "look"
> & {
  readonly graph: SharedGraph;
  readonly look: SharedLook;
  /** The name of a file that was opened without an account; null for a graph that a member shared. */
  readonly file: string | null;
};

type LinkContext = Pick<Context, "config" | "rows" | "now">;

/** One sentence for every reason, so that the reply says nothing about a link that has ended. */
export function linkNotFound(): Failure {
  return new Failure("not_found", "This link does not exist, has expired or was revoked.");
}

/**
 * The link of a token. Not cached, so that a revocation takes effect at once in every process. Throws `not_found` for a link
 * that is unknown or expired, whose organization does not allow links or is suspended, or whose author may not create one
 * there any more.
 */
export async function readLink(ctx: LinkContext, token: string): Promise<OpenedLink> {
  const tokenHash = opaqueTokenHash(token);
  if (tokenHash === undefined) throw linkNotFound();
  const row = await usableLink(ctx.rows, tokenHash, ctx.now());
  if (row === undefined) return readOpenedFile(ctx, tokenHash);
  return {
    ...row,
    file: null,
    graph: SharedGraph.parse(JSON.parse(row.graph)),
    look: SharedLook.parse(JSON.parse(row.look)),
  };
}

function usableLink(rows: RowStore, tokenHash: string, now: Date) {
  return usableLinks(acrossOrganizations(rows), now.toISOString())
    .innerJoin("organizations", "organizations.id", "sharedLinks.orgId")
    .select([
      "sharedLinks.id",
      "sharedLinks.orgId",
      "sharedLinks.service",
      "sharedLinks.type",
      "sharedLinks.fromAt",
      "sharedLinks.toAt",
      "sharedLinks.graph",
      "sharedLinks.look",
      "sharedLinks.expiresAt",
      "sharedLinks.lastOpenedAt",
    ])
    .where("sharedLinks.tokenHash", "=", tokenHash)
    .where("organizations.allowsPublicLinks", "=", 1)
    .where("organizations.suspendedAt", "is", null)
    .executeTakeFirst();
}

/** Links to files end when the operator switches them off. */
async function readOpenedFile({ config, rows, now }: LinkContext, tokenHash: string): Promise<OpenedLink> {
  const row =
    config.openFiles &&
    (await rows
      .selectFrom("openedFiles")
      .select(["id", "orgId", "file", "service", "type", "fromAt", "toAt", "profileId", "expiresAt"])
      .where("orgId", "=", openedOrgId)
      .where("tokenHash", "=", tokenHash)
      .where("expiresAt", ">", now().toISOString())
      .executeTakeFirst());
  if (row === undefined) throw linkNotFound();
  const { profileId, ...link } = row;
  const graph = SharedGraph.parse({ kind: "profile", profile_id: profileId, labels: {} });
  return { ...link, graph, look: {}, lastOpenedAt: null };
}

/** Written at most once a minute. */
export async function recordOpening(
  { rows, now }: Pick<Context, "rows" | "now">,
  { id, orgId, file, lastOpenedAt }: OpenedLink,
): Promise<void> {
  if (file !== null) return;
  const at = now();
  if (lastOpenedAt !== null && at.getTime() - Date.parse(lastOpenedAt) < minuteMs) return;
  await rows
    .updateTable("sharedLinks")
    .set({ lastOpenedAt: at.toISOString() })
    .where("orgId", "=", orgId)
    .where("id", "=", id)
    .execute();
}

/** Links that work as long as their organization allows them: not expired, and of an active person who is an admin or member there. */
export function usableLinks(rows: RowStore, now: string) {
  return rows
    .selectFrom("sharedLinks")
    .innerJoin("users", "users.id", "sharedLinks.createdBy")
    .innerJoin("memberships", (join) =>
      join
        .onRef("memberships.orgId", "=", "sharedLinks.orgId")
        .onRef("memberships.userId", "=", "sharedLinks.createdBy"),
    )
    .where("sharedLinks.expiresAt", ">", now)
    .where("users.isActive", "=", 1)
    .where("memberships.role", "in", ["admin", "member"]);
}
