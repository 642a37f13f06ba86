import type { listApiKeys, ReplyOf } from "@flamekeep/contract";
import type { Actor, Context } from "#context";
import { presentApiKey } from "./present.ts";
import { countKeys, keysPage } from "./queries.ts";

export async function listKeys(
  ctx: Context,
  actor: Actor,
  query: { readonly page: number; readonly page_size: number },
): Promise<ReplyOf<typeof listApiKeys>> {
  const [rows, total] = await Promise.all([
    keysPage(ctx.rows, actor.orgId, { page: query.page, size: query.page_size }),
    countKeys(ctx.rows, actor.orgId),
  ]);
  return { api_keys: rows.map(presentApiKey), page: query.page, page_size: query.page_size, total };
}
