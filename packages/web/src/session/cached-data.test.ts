// @vitest-environment happy-dom
import { QueryObserver } from "@tanstack/react-query";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { queryClient } from "#api/query-client.ts";
import { storageKeys, writeStored } from "#preferences/storage.ts";
import { tokenEndingIn } from "#testing/tokens.ts";
import { currentSession, enterDemo, startSession, storeSession, updateUser } from "./session.ts";
import { demoUser, type SessionUser } from "./session-user.ts";

const shop = { id: "00000000-0000-4000-8000-0000000000aa", name: "Shop" };
const ada = { ...demoUser, id: "00000000-0000-4000-8000-0000000000ad", organization: shop };
const grace = { ...ada, id: "00000000-0000-4000-8000-00000000006a" };
const bank = { ...ada, organization: { ...shop, id: "00000000-0000-4000-8000-0000000000ba" } };
const key = ["organization"];

beforeAll(startSession);
afterAll(signOutElsewhere);

beforeEach(async () => {
  await signOutElsewhere();
  signInHere(ada);
  queryClient.setQueryData(key, "read by Ada in Shop");
});

function signInHere(user: SessionUser): void {
  const account = { ...user, is_active: true, created_at: "2026-11-20T10:00:00.000Z", last_login_at: null };
  storeSession({
    user: account,
    tokens: { access_token: tokenEndingIn(900, "token", user.id), refresh_token: "refresh" },
  });
}

/** Browsers report a change of the storage to all tabs except the one that made it. */
async function reportChange(storageKey: string | null): Promise<void> {
  window.dispatchEvent(new StorageEvent("storage", { key: storageKey }));
  await Promise.resolve();
}

function signOutElsewhere(): Promise<void> {
  localStorage.clear();
  return reportChange(null);
}

async function signInElsewhere(user: SessionUser): Promise<void> {
  writeStored(storageKeys.accessToken, tokenEndingIn(900, "token", user.id));
  writeStored(storageKeys.refreshToken, "refresh");
  writeStored(storageKeys.user, JSON.stringify(user));
  await reportChange(storageKeys.user);
}

describe("cached data", () => {
  it("is dropped when another tab signs out", async () => {
    await signOutElsewhere();
    expect(currentSession().status).toBe("anonymous");
    expect(queryClient.getQueryData(key)).toBeUndefined();
  });

  it.each([
    ["somebody else signs in in another tab", () => signInElsewhere(grace)],
    ["another tab moves the session to another organization", () => signInElsewhere(bank)],
    ["somebody else signs in in this tab", () => signInHere(grace)],
    ["this tab moves the session to another organization", () => updateUser(bank)],
    ["the demo is opened", () => enterDemo()],
  ])("is dropped when %s", async (_, change) => {
    await change();
    expect(queryClient.getQueryData(key)).toBeUndefined();
  });

  it("of the demo is dropped by a sign-in", () => {
    enterDemo();
    queryClient.setQueryData(key, "read in the demo");
    signInHere(ada);
    expect(queryClient.getQueryData(key)).toBeUndefined();
  });

  it("of nobody is dropped by a sign-in", async () => {
    await signOutElsewhere();
    queryClient.setQueryData(key, "arrived after the sign-out");
    signInHere(grace);
    expect(queryClient.getQueryData(key)).toBeUndefined();
  });

  it("that is on screen is read again for the next person", async () => {
    const queryFn = vi.fn(async () => currentSession());
    const observer = new QueryObserver(queryClient, { queryKey: key, queryFn, staleTime: 60_000 });
    const stop = observer.subscribe(() => {});
    await signInElsewhere(grace);
    await vi.waitFor(() =>
      expect(observer.getCurrentResult().data).toMatchObject({ user: { id: grace.id } }),
    );
    stop();
  });

  it("stays when only the role or the name of the person changes", async () => {
    updateUser({ ...ada, role: "member" });
    await signInElsewhere({ ...ada, name: "Ada King" });
    expect(queryClient.getQueryData(key)).toBe("read by Ada in Shop");
  });
});
