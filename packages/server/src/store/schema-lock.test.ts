import { fork } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { openSchemaLock } from "#store/schema-lock.ts";
import { keepingLog, quietLog, rowBackends } from "#store/testing/backends.ts";

const postgres = (await rowBackends()).find(({ name }) => name === "PostgreSQL");

async function databaseUrl(): Promise<string> {
  const { config } = await postgres!.create();
  return config.kind === "postgres" ? config.url : "";
}

describe.runIf(postgres)("the lock of a schema", () => {
  it("lets one process change a store at a time, says who has it, and ends with a killed process", async () => {
    const url = await databaseUrl();
    // A process that takes the lock and stays in it.
    const holder = fork(new URL("testing/hold-schema-lock.ts", import.meta.url), [url]);
    await once(holder, "message");
    const log = keepingLog();
    const waiting = openSchemaLock(url, "column store", log)(async () => "changed");
    await expect.poll(() => log.lines.length, { timeout: 20_000 }).toBe(1);
    expect(log.lines[0]).toMatchObject({
      level: "warn",
      message: "waiting: another Flamekeep changes the schema of the column store",
      fields: {
        holder: expect.stringContaining(`process ${holder.pid}`),
        since: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]+Z$/),
        heldFor: expect.stringMatching(/^00:00:\d\d$/),
      },
    });
    // Each store has a separate one.
    expect(await openSchemaLock(url, "row store", quietLog)(async () => "changed")).toBe("changed");
    holder.kill("SIGKILL");
    expect(await waiting).toBe("changed");
  });

  it("stops a change whose lock was lost", async () => {
    const url = await databaseUrl();
    const { Client } = await import("pg");
    const admin = new Client(url);
    await admin.connect();
    const changing = openSchemaLock(
      url,
      "column store",
      quietLog,
    )(async (check) => {
      check();
      await admin.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'flamekeep on %' AND datname = current_database()",
      );
      await expect.poll(() => hasFailed(check), { timeout: 20_000 }).toBe(true);
      check();
    });
    await expect(changing).rejects.toThrow("The lock of the column store's schema was lost.");
    await admin.end();
  });
});

function hasFailed(check: () => void): boolean {
  try {
    check();
    return false;
  } catch {
    return true;
  }
}
