import { expect, it, vi } from "vitest";
import { placeOf, reach } from "./reach.ts";
import { quietLog } from "./testing/backends.ts";

const away = Object.assign(new Error("connect ECONNREFUSED 10.0.0.7:5432"), { code: "ECONNREFUSED" });
const database = (probe: () => Promise<unknown>) => ({
  name: "PostgreSQL at db:5432",
  setting: "DATABASE_URL",
  probe,
  isUnreachable: (error: unknown) => error === away,
});

it("a database that starts together with the server is waited for, which the log says once", async () => {
  const warn = vi.fn();
  const answers = [away, away, undefined];
  await reach(
    database(async () => {
      const answer = answers.shift();
      if (answer !== undefined) throw answer;
    }),
    { ...quietLog, warn },
  );
  expect(answers).toEqual([]);
  expect(warn.mock.calls).toEqual([[{ reason: away.message }, "waiting for PostgreSQL at db:5432"]]);
});

it.each([
  ["stays away", away, "cannot be reached for 0 s: connect ECONNREFUSED 10.0.0.7:5432. Start it, or correct"],
  [
    "refuses the login",
    new Error('password authentication failed for user "ada"\nDETAIL: line 95. Hint'),
    'does not let us in: password authentication failed for user "ada". Correct',
  ],
  ["fails with a sentence", new Error("no entry."), "does not let us in: no entry. Correct"],
  ["fails with a long text", new Error("x".repeat(201)), `does not let us in: ${"x".repeat(200)}. Correct`],
])("one that %s is reported with its setting", async (_, error, words) => {
  const probe = vi.fn(() => Promise.reject(error));
  await expect(reach(database(probe), quietLog, { patienceMs: 0 })).rejects.toThrow(
    `PostgreSQL at db:5432 ${words} DATABASE_URL.`,
  );
  expect(probe).toHaveBeenCalledTimes(1);
});

it("a stop ends the wait", async () => {
  const stop = new AbortController();
  const probe = async () => {
    stop.abort();
    throw away;
  };
  await expect(reach(database(probe), quietLog, { stopped: stop.signal })).rejects.toThrow(
    "cannot be reached",
  );
});

it("the logged address has no password", () => {
  expect(placeOf("postgres://ada:secret@db:5432/flamekeep")).toBe("db:5432");
  expect(placeOf("postgres:///flamekeep?host=/run")).toBe("its socket");
});
