import { profileOf } from "@flamekeep/profile/testing";
import { expect, it } from "vitest";
import { startApp } from "#testing/start-app.ts";
import { largest } from "./organization-bytes.ts";

it("adds up the organizations beyond the hundred largest", () => {
  const all = Array.from({ length: 103 }, (_, i) => ({ id: String(i), bytes: i }));
  const shown = largest(all);
  expect(shown).toHaveLength(101);
  expect([shown[0], shown[99], shown[100]]).toEqual([
    { id: "102", bytes: 102 },
    { id: "3", bytes: 3 },
    { id: "other", bytes: 3 },
  ]);
  expect(largest(all.slice(0, 100)).map(({ id }) => id)).not.toContain("other");
});

it("is on /metrics by the id of each organization", async () => {
  const server = await startApp({ at: "2026-11-20T12:00:00.000Z" });
  try {
    const ada = await server.signUp();
    const { headers } = await server.makeKey(ada);
    await server.send(profileOf("main\n1"), { headers });
    // A read has the rows of the profile written.
    await server.app.inject({ url: "/api/v1/protected/profiles", headers: ada.headers });
    const scrape = async () => (await server.app.inject("/metrics")).body;
    const line = new RegExp(
      `^flamekeep_organization_stored_bytes\\{organization="${ada.orgId}"\\} [1-9]\\d*$`,
      "m",
    );
    await expect.poll(scrape).toMatch(line);
  } finally {
    await server.close();
  }
});
