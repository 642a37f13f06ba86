import { writeProfile } from "@flamekeep/profile";
import { profileOf } from "@flamekeep/profile/testing";
import { expect, it } from "vitest";
import { startPostgres } from "#store/testing/postgres.ts";
import { startApp } from "#testing/start-app.ts";

const postgres = await startPostgres();

it.skipIf(postgres === undefined)(
  "calls that need PostgreSQL are answered with 503 and a time to come back while it is away",
  async () => {
    const url = (await postgres?.createDatabase()) ?? "";
    const server = await startApp({ config: { rows: { kind: "postgres", url } } });
    const ada = await server.signUp();
    const { headers } = await server.makeKey(ada);
    const payload = Buffer.from(writeProfile(profileOf("main\n1")));
    const upload = { method: "POST", url: "/api/v1/ingest/profiles?service=s", headers, payload } as const;
    await server.send(payload, { headers });

    await postgres?.stop();
    // The cached keys and sessions expire, so that the store is asked.
    server.clock.advance(60_000);
    const { email, password } = ada;
    const calls = [
      { method: "POST", url: "/auth/login", payload: { email, password } },
      {
        method: "POST",
        url: "/auth/refresh-token",
        headers: { authorization: `Bearer ${ada.refreshToken}` },
      },
      { method: "GET", url: "/api/v1/protected/user/profile", headers: ada.headers },
      upload,
    ] as const;
    const replies = await Promise.all(calls.map((call) => server.app.inject(call)));
    expect(
      replies.map(({ statusCode, headers, json }) => [statusCode, headers["retry-after"], json().code]),
    ).toEqual(calls.map(() => [503, "1", "unavailable"]));
    await server.close();
  },
);
