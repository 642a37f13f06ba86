/** Takes the lock of the column store's schema in the database of its argument, reports that, and keeps it. */
import process from "node:process";
import { openSchemaLock } from "#store/schema-lock.ts";
import { quietLog } from "#store/testing/backends.ts";

await openSchemaLock(
  process.argv[2] ?? "",
  "column store",
  quietLog,
)(async () => {
  process.send?.("locked");
  await new Promise(() => setInterval(() => undefined, 60_000));
});
