import type { StoreLog } from "#store/log.ts";
import { placeOf, reach } from "#store/reach.ts";
import { StoreUnavailable } from "#store/unavailable.ts";
import type { ColumnClient } from "./client/client.ts";

/** Waits for a ClickHouse server that starts; throws a StoreRefused where it stays away or refuses the login. */
export function reachClickHouse(
  client: ColumnClient,
  url: string,
  log: StoreLog,
  stopped?: AbortSignal,
): Promise<void> {
  const name = `ClickHouse at ${placeOf(url)}`;
  const probe = () => client.command("SELECT 1");
  const isAway = (error: unknown) => error instanceof StoreUnavailable;
  return reach({ name, setting: "CLICKHOUSE_URL", probe, isAway }, log, { stopped });
}
