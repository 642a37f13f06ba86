import type { ServerEndpoint, TestClickHouse } from "#store/testing/clickhouse.ts";
import { startApp, type TestApp } from "#testing/start-app.ts";

interface SharedStores {
  readonly clickHouse: Pick<TestClickHouse, "openEndpoint">;
  /** The address of the database in PostgreSQL. */
  readonly url: string;
}

/** A server with its own way to ClickHouse, which a test can close. */
export type TestMember = TestApp & { readonly store: ServerEndpoint };

interface MemberOptions {
  readonly deadMs: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Whether the real time runs. */
  readonly isNow?: boolean;
}

export const memberSecret = "the same secret of all servers, 32 characters";

/** Starts one of several servers on the same stores. Close it when done. */
export async function startMember(
  { clickHouse, url }: SharedStores,
  { deadMs, env = {}, isNow = false }: MemberOptions,
): Promise<TestMember> {
  const store = await clickHouse.openEndpoint();
  const server = await startApp({
    ...(!isNow && { at: "2026-11-20T12:00:00.000Z" }),
    env,
    config: {
      authSecret: memberSecret,
      rows: { kind: "postgres", url },
      columns: { kind: "url", url: store.url },
      cluster: { host: "127.0.0.1", port: 0, deadMs },
    },
  });
  return { ...server, store };
}
