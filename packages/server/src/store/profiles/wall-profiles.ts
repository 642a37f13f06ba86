import type { DisplayType } from "@flamekeep/contract";
import { z } from "zod";
import type { ColumnStore } from "#store/column/column-store.ts";
import { query } from "#store/column/query.ts";
import { Count } from "#store/column/values.ts";

/** The roll-ups have no sample types. The sort order begins with org_id, service and type, so only custom profiles are read. */
const wallProfiles = query({
  name: "profiles.wall_by_service",
  isCacheable: true,
  sql: `SELECT service, count() AS wallCount
        FROM profiles
        WHERE org_id = {orgId:UUID} AND type = 'custom'
          AND started_at >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC')
          AND started_at < fromUnixTimestamp64Milli({toMs:Int64}, 'UTC')
          AND ({service:String} = '' OR service = {service:String})
          AND arrayExists(name -> name = 'wall' OR startsWith(name, 'wall/'), sample_types)
        GROUP BY service`,
  params: z.object({ orgId: z.uuid(), fromMs: z.int(), toMs: z.int(), service: z.string() }),
  row: z.object({ service: z.string(), wallCount: Count }),
});

/** Selects profiles. Wall-clock profiles are stored as custom ones: `only` selects them, `without` leaves them out. */
export interface TypeFilter {
  /** Empty means all. */
  readonly type: string;
  readonly wall: "any" | "only" | "without";
}

/** The filter for the profiles of a display type; without one, for all profiles. */
export function filterOf(displayType: DisplayType | undefined): TypeFilter {
  if (displayType === "wall") return { type: "custom", wall: "only" };
  return { type: displayType ?? "", wall: displayType === "custom" ? "without" : "any" };
}

interface Range {
  readonly orgId: string;
  readonly fromMs: number;
  readonly toMs: number;
  /** Empty means all. */
  readonly service: string;
}

/** Wall-clock profiles by service; services without any are left out. */
export async function wallProfilesByService(
  columns: Pick<ColumnStore, "query">,
  range: Range,
): Promise<Map<string, number>> {
  const rows = await columns.query(wallProfiles, range);
  return new Map(rows.map(({ service, wallCount }) => [service, wallCount]));
}

/** Counts by type, with wall-clock profiles separate from the other custom ones. */
export function countsByDisplayType(
  counts: ReadonlyMap<string, number>,
  wall: number,
): Partial<Record<DisplayType, number>> {
  const custom = counts.get("custom") ?? 0;
  // The two counts are read one after the other; a profile may arrive in between.
  const wallCount = Math.min(wall, custom);
  const separate = new Map(counts).set("custom", custom - wallCount).set("wall", wallCount);
  return Object.fromEntries([...separate].filter(([, count]) => count > 0));
}
