// @vitest-environment happy-dom
import { type Member, removeMember } from "@flamekeep/contract";
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterAll, afterEach, beforeEach, expect, it, vi } from "vitest";
import { FakeServer, replyWith } from "#testing/fake-server.ts";
import { renderWithQueries } from "#testing/render.tsx";
import { RemoveMemberDialog } from "./member-dialogs.tsx";

const zoe: Member = {
  id: "9b2f6a4e-5f0c-4a6e-9d0a-0f0b6f1f2a11",
  name: "Zoe Q",
  email: "zoe@example.com",
  role: "member",
  is_active: true,
  joined_at: "2026-11-20T10:00:00.000Z",
  last_login_at: null,
  is_you: false,
  active_api_keys: 2,
};

let server: FakeServer;
beforeEach(() => {
  server = new FakeServer();
  server.on(removeMember, () => replyWith(removeMember, { member: zoe, revoked_api_keys: 0 }));
});
afterEach(cleanup);
afterAll(() => vi.unstubAllGlobals());

async function remove(member: Member, revokes: boolean): Promise<unknown> {
  const closed = Promise.withResolvers<void>();
  renderWithQueries(<RemoveMemberDialog member={member} onClose={closed.resolve} />);
  const button = await screen.findByRole("button", { name: "Remove" });
  if (revokes) fireEvent.click(screen.getByRole("checkbox"));
  fireEvent.click(button);
  await closed.promise;
  return server.callsOf(removeMember).map(({ query }) => query.get("revoke_api_keys"));
}

it("says how many API keys of the member keep working, and leaves them alone", async () => {
  expect(await remove(zoe, false)).toEqual(["false"]);
});

it("revokes the API keys of the member if that is chosen", async () => {
  expect(await remove(zoe, true)).toEqual(["true"]);
});

it("offers nothing to revoke for a member without API keys", async () => {
  renderWithQueries(<RemoveMemberDialog member={{ ...zoe, active_api_keys: 0 }} onClose={() => {}} />);
  await screen.findByText(/They have no active API keys/);
  expect(screen.queryByRole("checkbox")).toBeNull();
});
