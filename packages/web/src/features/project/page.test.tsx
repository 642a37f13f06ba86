// @vitest-environment happy-dom
import { listProjects, listServiceProfiles, type Project } from "@flamekeep/contract";
import { cleanup, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it } from "vitest";
import { FakeServer, replyWith } from "#testing/fake-server.ts";
import { renderWithQueries } from "#testing/render.tsx";
import { useExistence } from "./page.tsx";

let server: FakeServer;
beforeEach(() => {
  server = new FakeServer();
});
afterEach(cleanup);

/** A service with some stored profiles, and a project with a name. */
function answer(cpu: number, name: string) {
  const counts = cpu === 0 ? {} : { cpu };
  const listed = { counts_by_type: counts, counts_by_display_type: counts, profiles: [], next_cursor: null };
  server.on(listServiceProfiles, () => replyWith(listServiceProfiles, listed));
  const at = "2026-11-20T10:00:00.000Z";
  const project: Project = {
    id: "c4a7de01",
    name,
    description: "",
    status: "active",
    tags: [],
    services: [],
    member_count: 1,
    profile_count: 0,
    created_at: at,
    last_activity: at,
    is_derived: false,
  };
  server.on(listProjects, () =>
    replyWith(listProjects, {
      projects: [project],
      next_cursor: null,
      total: 1,
      totals: { projects: 1, active: 1, profiles: project.profile_count },
      team_members: 1,
    }),
  );
}

function Probe({ profilesInRange }: { readonly profilesInRange: number }) {
  const summary = { summary: { total_profiles: profilesInRange } };
  return <p>It is {useExistence("billing", { data: summary } as never) ?? "unknown"}</p>;
}

it("an address names a service if the range has profiles of it, and nothing more is asked", async () => {
  answer(0, "billing");
  renderWithQueries(<Probe profilesInRange={3} />);
  await screen.findByText("It is service");
  expect(server.callsOf(listServiceProfiles)).toEqual([]);
});

it.each([
  ["a service that sent something earlier", 1, "checkout", "service"],
  ["a project without a service", 0, "billing", "project"],
  ["nothing", 0, "checkout", "nothing"],
])("an address names %s", async (_, profiles, project, named) => {
  answer(profiles, project);
  renderWithQueries(<Probe profilesInRange={0} />);
  await screen.findByText(`It is ${named}`);
  for (const { query } of server.callsOf(listProjects)) expect(query.get("order")).toBe("name");
});
