import type { RowStoreConfig } from "#store/row/row-store.ts";
import type { Backend } from "#store/testing/backends.ts";
import { type StartOptions, startApp, type TestApp } from "#testing/start-app.ts";

/** Starts the server over an empty row store of this backend. Closing the app removes the store. */
export async function startAppOn(
  backend: Backend<RowStoreConfig>,
  options: StartOptions = {},
): Promise<TestApp> {
  const store = await backend.create();
  const app = await startApp({
    at: "2026-11-20T10:00:00.000Z",
    ...options,
    config: { ...options.config, rows: store.config },
  });
  return {
    ...app,
    async close() {
      await app.close();
      await store.remove();
    },
  };
}
