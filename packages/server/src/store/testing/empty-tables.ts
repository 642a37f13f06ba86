import { connectColumns } from "#store/column/client/client.ts";
import { toLogins } from "#store/column/client/embedded-source.ts";
import { startEngine } from "#store/column/engine/supervisor.ts";
import { quietLog } from "./backends.ts";

const limits = {
  executionSecondsMax: 20,
  memoryBytesMax: 300_000_000,
  resultRowsMax: 1000,
  resultBytesMax: 1_000_000,
  threadsMax: 2,
};

/** Empties tables of the column store in the data folder of a stopped server: as if views had missed what was stored. */
export async function emptyTables(dataDir: string, tables: readonly string[]): Promise<void> {
  const engine = await startEngine({ dataDir, memoryBytesMax: 500_000_000, limits }, quietLog);
  const client = connectColumns({ ...toLogins(engine.address()!), limits });
  for (const table of tables) await client.command(`TRUNCATE TABLE ${table}`);
  await client.close();
  await engine.stop();
}
