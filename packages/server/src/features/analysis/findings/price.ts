import type * as calls from "@flamekeep/contract";
import { bytesOfGigabyte, type ResourcePrice } from "@flamekeep/contract";
import type { Context } from "#context";
import type { Operation } from "#http/endpoint/serve.ts";
import { replyTo } from "#http/reply/reply.ts";
import { changesRow, type RowStore } from "#store/row/row-store.ts";
import type { FindingRow } from "./stored-finding.ts";

export const getResourcePrice: Operation<typeof calls.getResourcePrice> = async ({ rows }, { orgId }) => ({
  price: await readPrice(rows, orgId),
});

export const updateResourcePrice: Operation<typeof calls.updateResourcePrice> = async (
  ctx: Context,
  { orgId, userId },
  { price },
) => {
  const columns = {
    coreMonthPrice: price?.per_core_month ?? null,
    gbMonthPrice: price?.per_gb_month ?? null,
    priceCurrency: price?.currency ?? null,
  };
  const isChanged = await changesRow(
    ctx.rows
      .updateTable("organizations")
      .set(columns)
      .where("id", "=", orgId)
      .where((is) =>
        is.or([
          is("coreMonthPrice", "is distinct from", columns.coreMonthPrice),
          is("gbMonthPrice", "is distinct from", columns.gbMonthPrice),
          is("priceCurrency", "is distinct from", columns.priceCurrency),
        ]),
      ),
  );
  if (isChanged) ctx.log.info({ orgId, userId, price }, "price of cores and memory changed");
  return replyTo(isChanged, { price });
};

export async function readPrice(rows: RowStore, orgId: string): Promise<ResourcePrice | null> {
  const { coreMonthPrice, gbMonthPrice, priceCurrency } = await rows
    .selectFrom("organizations")
    .select(["coreMonthPrice", "gbMonthPrice", "priceCurrency"])
    .where("id", "=", orgId)
    .executeTakeFirstOrThrow();
  if (coreMonthPrice === null || gbMonthPrice === null || priceCurrency === null) return null;
  return { per_core_month: coreMonthPrice, per_gb_month: gbMonthPrice, currency: priceCurrency };
}

type PerUnit = Pick<ResourcePrice, "per_core_month" | "per_gb_month">;

/** null for what is not in use all the time: allocations, waiting and goroutines. */
export function costOf(value: number, unit: FindingRow["unit"], price: PerUnit): number | null {
  if (unit === "cores") return value * price.per_core_month;
  return unit === "bytes" ? (value / bytesOfGigabyte) * price.per_gb_month : null;
}
