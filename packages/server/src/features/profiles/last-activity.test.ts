import { profileOf } from "@flamekeep/profile/testing";
import { expect, it } from "vitest";
import { startApp } from "#testing/start-app.ts";

it("is never in the future on any endpoint, even if a sender's clock is ahead", async () => {
  const now = "2026-11-20T12:00:30.000Z";
  const server = await startApp({ at: now });
  const person = await server.signUp();
  const { headers } = await server.makeKey(person);
  for (const started_at of ["2026-11-20T11:00:00Z", "2026-11-20T12:09:00Z"]) {
    await server.send(profileOf("main\n1"), { headers, query: { service: "early", started_at } });
  }
  const get = async (path: string) =>
    (await server.app.inject({ url: `/api/v1/protected/${path}`, headers: person.headers })).json();
  const { services } = await get("services");
  expect(services).toMatchObject([{ name: "early", last_activity: now }]);
  const { projects } = await get("projects");
  expect(projects).toMatchObject([{ profile_count: 2, last_activity: now }]);
  for (const path of ["summary", "summary/services", "summary/service/early"]) {
    const { summary } = await get(path);
    expect(summary.total_profiles).toBe(2);
    expect(summary.top_services).toMatchObject([{ last_activity: "2026-11-20T12:00:00.000Z" }]);
  }
  await server.close();
});
