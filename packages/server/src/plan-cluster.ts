// `npm run plan-cluster`: prints what the migrations run on a ClickHouse cluster, and checks it with the built-in column store.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { type ColumnStore, openColumnStore } from "#store/column/column-store.ts";
import { checkPlan, toPlan } from "#store/column/migrations/cluster-plan.ts";
import { StoreRefused } from "#store/unavailable.ts";
import { openLog } from "./open-log.ts";
import { runCommand } from "./operator-command.ts";

await runCommand({
  "plan-cluster": {
    usage: `Usage: npm run plan-cluster -- CLUSTER

Prints the statements that a server with CLICKHOUSE_CLUSTER=CLUSTER runs to make and change its tables, in their order, and checks that
ClickHouse's parser in the built-in column store takes each of them, and that every table is replicated. It needs no ClickHouse server.`,
    count: [1, 1],
    async run([cluster = ""]) {
      const plan = toPlan(cluster);
      for (const { migration, sql } of plan) console.log(`-- ${migration}\n${sql};\n`);
      const { problems, summary } = await withEmptyStore((columns) => checkPlan(columns, cluster, plan));
      if (problems.length > 0) throw new StoreRefused(problems.join("\n"));
      console.log(`-- ${summary}`);
    },
  },
});

/** Its tables are made by the same migrations. */
async function withEmptyStore<T>(work: (columns: ColumnStore) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), "flamekeep-plan-"));
  try {
    const log = await openLog({ logLevel: "error", logFormat: "auto" }, process.stderr.isTTY);
    await using columns = await openColumnStore({ kind: "embedded", dataDir }, log);
    return await work(columns);
  } finally {
    await rm(dataDir, { recursive: true });
  }
}
