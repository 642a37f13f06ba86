import { deleteOrganization, operatorOverview, toPath } from "@flamekeep/contract";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";

let server: TestApp;
let operator: Person;
let eve: Person;
beforeAll(async () => {
  server = await startApp();
  operator = await server.signUp();
  eve = await server.signUp();
});
afterAll(() => server.close());

function overview(person: Person) {
  return server.app.inject({ url: toPath(operatorOverview), headers: person.headers });
}

it("shows the operator which organizations were deleted", async () => {
  const { name } = await server.rows
    .selectFrom("organizations")
    .select("name")
    .where("id", "=", eve.orgId)
    .executeTakeFirstOrThrow();
  expect((await overview(operator)).json().deleted_organizations).toEqual([]);
  const deletion = await server.app.inject({
    method: deleteOrganization.method,
    url: toPath(deleteOrganization),
    headers: eve.headers,
    payload: { confirm: name },
  });
  expect(deletion.statusCode).toBe(200);
  const { deleted_organizations: deleted, organizations } = (await overview(operator)).json();
  expect(deleted).toEqual([{ id: eve.orgId, name, deleted_at: expect.any(String), data_removed_at: null }]);
  expect(organizations.map(({ id }: { id: string }) => id)).not.toContain(eve.orgId);
});

it("is for the operator only", async () => {
  const other = await server.signUp();
  expect((await overview(other)).statusCode).toBe(403);
});
