import { afterAll, beforeAll, expect, it } from "vitest";
import { startApp, type TestApp } from "#testing/start-app.ts";
import { type Person, readPeople, writePeople } from "./people.ts";
import { rawRows } from "./raw-rows.ts";

let server: TestApp;
beforeAll(async () => {
  server = await startApp();
});
afterAll(() => server.close());

it("two people stay two people, although one has the id of the account that has the other one's address", async () => {
  const { orgId, userId } = await server.signUp("ada@example.com");
  const rows = rawRows(server.rows);
  const [ada] = await readPeople(rows, orgId);
  const formerly = { ...ada!, email: "ada@old.example", email_key: "ada@old.example" };
  const other = { ...ada!, id: crypto.randomUUID(), role: "viewer" } satisfies Person;
  const { orgId: imported } = await server.signUp("owner@example.com");
  const ids = await writePeople(rows, imported, [formerly, other], server.ctx.config);
  expect(ids.get(other.id)).toBe(userId);
  const members = await readPeople(rows, imported);
  expect(members.map(({ id, email, role }) => ({ id, email, role }))).toEqual(
    expect.arrayContaining([
      { id: ids.get(ada!.id), email: "ada@old.example", role: "admin" },
      { id: userId, email: "ada@example.com", role: "viewer" },
    ]),
  );
  expect(members.length).toBe(3);
});

it("a person keeps the account with their address, else the one with their id", async () => {
  const [grace, mary] = [await server.signUp("grace@example.com"), await server.signUp("mary@example.com")];
  const rows = rawRows(server.rows);
  const [first] = await readPeople(rows, grace.orgId);
  const [second] = await readPeople(rows, mary.orgId);
  const { orgId } = await server.signUp("boss@example.com");
  const people = [
    { ...first!, id: crypto.randomUUID() },
    { ...second!, email: "mary@new.example", email_key: "mary@new.example" },
  ];
  const ids = await writePeople(rows, orgId, people, server.ctx.config);
  expect([...ids.values()]).toEqual([grace.userId, mary.userId]);
});
