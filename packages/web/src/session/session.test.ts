// @vitest-environment happy-dom
import { listServices, logout, refreshToken } from "@flamekeep/contract";
import { renderHook } from "@testing-library/react";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { call } from "#api/call.ts";
import { readStored, storageKeys, writeStored } from "#preferences/storage.ts";
import { FakeServer, failWith, replyWith } from "#testing/fake-server.ts";
import { noServices } from "#testing/no-services.ts";
import { tokenEndingIn } from "#testing/tokens.ts";
import { renewTokens } from "./renew-tokens.ts";
import {
  announceRefusedSession,
  currentSession,
  enterDemo,
  noteMissingFactor,
  startSession,
  storeSession as storeSignedIn,
  updateUser,
  useIsAdmin,
  useIsDemo,
  useIsSignedIn,
  useMayChange,
} from "./session.ts";
import { demoUser, parseSessionUser } from "./session-user.ts";
import { signIn } from "./sign-in.ts";
import { signOut } from "./sign-out.ts";

const ada = { ...demoUser, id: "00000000-0000-4000-8000-0000000000ad", email: "ada@example.com" };
const grace = { ...ada, id: "00000000-0000-4000-8000-00000000006a", email: "grace@example.com" };
const now = "2026-11-20T10:00:00.000Z";
const services = noServices;
const patience = { timeout: 30_000 };
let server: FakeServer;
let renewals: number;

beforeAll(async () => {
  Object.defineProperty(navigator, "locks", { value: { request: lockQueue() }, configurable: true });
  await startSession();
});

beforeEach(async () => {
  server = new FakeServer();
  renewals = 0;
  server.on(refreshToken, () => {
    renewals++;
    return replyWith(refreshToken, {
      tokens: {
        access_token: tokenEndingIn(900, `renewed ${renewals}`),
        refresh_token: `refresh ${renewals}`,
      },
    });
  });
  server.on(logout, () => replyWith(logout, { message: "Logged out" }));
  localStorage.clear();
  await changeInOtherTab(() => {});
  expect(currentSession().status).toBe("anonymous");
});
afterAll(() => {
  localStorage.clear();
  vi.unstubAllGlobals();
});

/** happy-dom has no Web Locks. A queue replaces them. */
function lockQueue() {
  let queue: Promise<unknown> = Promise.resolve();
  let turns = 0;
  type Work = (lock: object | null) => unknown;
  return (_name: string, ...rest: [Work] | [{ ifAvailable: boolean }, Work]): Promise<unknown> => {
    const work = rest.at(-1) as Work;
    if (rest.length === 2 && turns > 0) return Promise.resolve(work(null));
    turns++;
    const turn = queue.then(() => work({})).finally(() => turns--);
    queue = turn.catch(() => {});
    return turn;
  };
}

/** Lets another tab change the storage: browsers report it to all tabs except the one that changes it. */
async function changeInOtherTab(change: () => void, key: string | null = storageKeys.user): Promise<void> {
  change();
  window.dispatchEvent(new StorageEvent("storage", { key }));
  await Promise.resolve();
}

function storeSession(accessToken: string): void {
  writeStored(storageKeys.accessToken, accessToken);
  writeStored(storageKeys.refreshToken, "refresh");
  writeStored(storageKeys.user, JSON.stringify(ada));
}

async function signInWith(accessToken: string): Promise<void> {
  await changeInOtherTab(() => storeSession(accessToken));
  await vi.waitFor(() => expect(currentSession().status).toBe("authenticated"), patience);
}

/** Answers the list of services to every token except those given. */
function refuseTokens(...refused: readonly string[]): void {
  server.on(listServices, ({ token }) =>
    refused.includes(token ?? "")
      ? failWith("unauthenticated", "The token is not valid")
      : replyWith(listServices, services),
  );
}

describe("renewing tokens", () => {
  it("happens once for concurrent calls whose token is about to end", async () => {
    await signInWith(tokenEndingIn(200));
    refuseTokens();
    await Promise.all([call(listServices), call(listServices), call(listServices)]);
    expect(renewals).toBe(1);
    const tokens = server.callsOf(listServices).map(({ token }) => token);
    expect(tokens).toEqual(Array(3).fill(readStored(storageKeys.accessToken)));
    expect(readStored(storageKeys.refreshToken)).toBe("refresh 1");
  });

  it("happens once for concurrent calls that the server refused with 401, which are then repeated", async () => {
    const revoked = tokenEndingIn(900, "revoked");
    await signInWith(revoked);
    refuseTokens(revoked);
    expect(await Promise.all([call(listServices), call(listServices)])).toEqual([services, services]);
    expect(renewals).toBe(1);
    expect(server.callsOf(listServices).map(({ token }) => token === revoked)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it("sends the refresh token, and again for the next token that ends", async () => {
    await signInWith(tokenEndingIn(900));
    expect(await renewTokens()).toBe("renewed");
    expect(await renewTokens()).toBe("renewed");
    expect(server.callsOf(refreshToken).map(({ token }) => token)).toEqual(["refresh", "refresh 1"]);
  });

  it("takes over the tokens of another tab that renewed them while this one waited for the lock", async () => {
    await signInWith(tokenEndingIn(200));
    const otherTab = Promise.withResolvers<void>();
    const otherTabHolds = navigator.locks.request("flamekeep.refresh", () => otherTab.promise);
    const renewal = renewTokens();
    storeSession(tokenEndingIn(900, "other tab"));
    otherTab.resolve();
    await otherTabHolds;
    expect(await renewal).toBe("renewed");
    expect(renewals).toBe(0);
  });

  it("waits a moment for the tokens of the other tab, whose storage follows the lock", async () => {
    await signInWith(tokenEndingIn(200));
    const otherTab = Promise.withResolvers<void>();
    const otherTabHolds = navigator.locks.request("flamekeep.refresh", () => otherTab.promise);
    const renewal = renewTokens();
    otherTab.resolve();
    await otherTabHolds;
    setTimeout(() => storeSession(tokenEndingIn(900, "other tab")), 20);
    expect(await renewal).toBe("renewed");
    expect(renewals).toBe(0);
  });

  it("keeps the lock for a moment, so that a tab that starts now waits for the new tokens", async () => {
    await signInWith(tokenEndingIn(200));
    expect(await renewTokens()).toBe("renewed");
    const lockOfOtherTab = () =>
      navigator.locks.request("flamekeep.refresh", { ifAvailable: true }, (lock) => lock);
    expect(await lockOfOtherTab()).toBeNull();
    await expect.poll(lockOfOtherTab).not.toBeNull();
  });
});

describe("tokens that arrive late", () => {
  /** Renewals wait until the test lets them answer. */
  function holdRenewals(answer?: () => Response) {
    const released = Promise.withResolvers<void>();
    server.on(refreshToken, async () => {
      await released.promise;
      return (
        answer?.() ??
        replyWith(refreshToken, {
          tokens: { access_token: tokenEndingIn(900, "late"), refresh_token: "late" },
        })
      );
    });
    return released.resolve;
  }

  it("are not stored after signing out", async () => {
    await signInWith(tokenEndingIn(900));
    const release = holdRenewals();
    const renewal = renewTokens();
    await signOut();
    release();
    expect(await renewal).toBe("refused");
    expect(localStorage.length).toBe(0);
  });

  it("are not stored after signing out while their reply was read", async () => {
    await signInWith(tokenEndingIn(900));
    const tokens = { access_token: tokenEndingIn(900, "late"), refresh_token: "late" };
    const body = Promise.withResolvers<void>();
    const wasAsked = Promise.withResolvers<void>();
    server.on(refreshToken, () => {
      const reply = replyWith(refreshToken, { tokens });
      const json = reply.json.bind(reply);
      reply.json = () => {
        wasAsked.resolve();
        return body.promise.then(json);
      };
      return reply;
    });
    const renewal = renewTokens();
    await wasAsked.promise;
    await signOut();
    body.resolve();
    expect(await renewal).toBe("refused");
    expect(localStorage.length).toBe(0);
  });

  it("do not replace those of somebody who signed in meanwhile, and their refusal does not sign out", async () => {
    for (const answer of [undefined, () => failWith("unauthenticated", "The session was revoked")]) {
      await signInWith(tokenEndingIn(900));
      const release = holdRenewals(answer);
      const sent = server.callsOf(refreshToken).length + 1;
      const renewal = renewTokens();
      await vi.waitFor(() => expect(server.callsOf(refreshToken)).toHaveLength(sent), patience);
      writeStored(storageKeys.accessToken, tokenEndingIn(900, "newer"));
      writeStored(storageKeys.refreshToken, "newer");
      release();
      expect(await renewal).toBe("renewed");
      expect(readStored(storageKeys.refreshToken)).toBe("newer");
    }
  });

  it("are used by a call whose refusal comes after the renewal, without another one", async () => {
    const revoked = tokenEndingIn(900, "revoked");
    await signInWith(revoked);
    const late = Promise.withResolvers<void>();
    server.on(listServices, async ({ token }) => {
      if (token !== revoked) return replyWith(listServices, services);
      await late.promise;
      return failWith("unauthenticated", "The token is not valid");
    });
    const slow = call(listServices);
    await vi.waitFor(() => expect(server.callsOf(listServices)).toHaveLength(1), patience);
    expect(await renewTokens()).toBe("renewed");
    late.resolve();
    expect(await slow).toEqual(services);
    expect(renewals).toBe(1);
  });
});

describe("a call that is refused with 401", () => {
  it("ends the session when the refresh token is refused too", async () => {
    const revoked = tokenEndingIn(900);
    await signInWith(revoked);
    refuseTokens(revoked);
    server.on(refreshToken, () => failWith("unauthenticated", "The session was revoked"));
    await expect(call(listServices)).rejects.toMatchObject({
      code: "unauthenticated",
      message: "Your session has ended. Sign in again.",
    });
    expect(currentSession()).toEqual({ status: "anonymous", wasRefused: true });
    expect(localStorage.length).toBe(0);
  });

  it("ends the session when the renewed token is refused as well", async () => {
    await signInWith(tokenEndingIn(900));
    server.on(listServices, () => failWith("unauthenticated", "The account was removed"));
    await expect(call(listServices)).rejects.toMatchObject({ code: "unauthenticated" });
    expect([renewals, currentSession().status]).toEqual([1, "anonymous"]);
  });

  it.each([
    [
      "is away",
      () => Promise.reject(new TypeError("Failed to fetch")),
      "The server cannot be reached. Check that it is running.",
    ],
    ["is overloaded", () => failWith("unavailable", "The store is busy."), "The store is busy."],
    ["limits the rate", () => failWith("rate_limited", "Too many requests."), "Too many requests."],
  ])("keeps the session and says why when the server %s", async (_, answer, message) => {
    const ended = tokenEndingIn(900);
    await signInWith(ended);
    refuseTokens(ended);
    server.on(refreshToken, answer);
    await expect(call(listServices)).rejects.toMatchObject({ message });
    expect(currentSession().status).toBe("authenticated");
    expect(readStored(storageKeys.refreshToken)).toBe("refresh");
  });

  it("is not repeated with the token of somebody else who signed in meanwhile", async () => {
    const refused = tokenEndingIn(900);
    await signInWith(refused);
    server.on(listServices, () => {
      writeStored(storageKeys.accessToken, tokenEndingIn(900, "token", "grace"));
      return failWith("unauthenticated", "The token is not valid");
    });
    await expect(call(listServices)).rejects.toMatchObject({
      message: "Another user signed in to Flamekeep in another tab. Reload the page.",
    });
    expect(server.callsOf(listServices)).toHaveLength(1);
    expect(readStored(storageKeys.accessToken)).not.toBeNull();
  });

  it("is not repeated in the demo, which has no tokens", async () => {
    await changeInOtherTab(() => writeStored(storageKeys.demo, "true"), storageKeys.demo);
    refuseTokens("test-api-key");
    await expect(call(listServices)).rejects.toMatchObject({ message: "The token is not valid" });
    expect([renewals, server.callsOf(listServices).length]).toEqual([0, 1]);
  });
});

describe("the session of this tab", () => {
  it("follows sign-in and sign-out in another tab", async () => {
    await signInWith(tokenEndingIn(900));
    expect(currentSession()).toEqual({ status: "authenticated", user: ada, isDemo: false });
    await changeInOtherTab(() => localStorage.clear(), null);
    expect(currentSession()).toEqual({ status: "anonymous" });
  });

  it("ignores changes of preferences in another tab", async () => {
    await signInWith(tokenEndingIn(900));
    const before = currentSession();
    await changeInOtherTab(() => writeStored(storageKeys.theme, "dark"), storageKeys.theme);
    expect(currentSession()).toBe(before);
  });

  it("starts with an ended token by renewing it", async () => {
    await signInWith(tokenEndingIn(-60));
    expect(renewals).toBe(1);
  });

  it("starts with an ended token while the server cannot be reached", async () => {
    server.on(refreshToken, () => Promise.reject(new TypeError("Failed to fetch")));
    await signInWith(tokenEndingIn(-60));
    expect(readStored(storageKeys.refreshToken)).toBe("refresh");
  });

  it("ends when the token has ended and the refresh token is refused", async () => {
    server.on(refreshToken, () => failWith("unauthenticated", "The session was revoked"));
    await changeInOtherTab(() => storeSession(tokenEndingIn(-60)));
    await vi.waitFor(() => expect(localStorage.length).toBe(0), patience);
    expect(currentSession()).toEqual({ status: "anonymous", wasRefused: true });
  });

  it("ends at once on sign-out, before the server has answered", async () => {
    const accessToken = tokenEndingIn(900);
    await signInWith(accessToken);
    const leaving = signOut();
    expect(currentSession()).toEqual({ status: "anonymous" });
    expect(localStorage.length).toBe(0);
    await leaving;
    expect(server.callsOf(logout).map(({ token }) => token)).toEqual([accessToken]);
  });

  it.each([
    ["is due for renewal", 200],
    ["has expired", -60],
  ])(
    "ends on the server when the access token %s, by the refresh token and without renewal",
    async (_, seconds) => {
      await signInWith(tokenEndingIn(900));
      const bearer = "refresh of this session";
      writeStored(storageKeys.accessToken, tokenEndingIn(seconds));
      writeStored(storageKeys.refreshToken, bearer);
      await signOut();
      expect(server.callsOf(logout).map(({ token }) => token)).toEqual([bearer]);
      expect([renewals, localStorage.length]).toEqual([0, 0]);
    },
  );

  it("sends no logout from the demo, which has no session on the server", async () => {
    await changeInOtherTab(() => writeStored(storageKeys.demo, "true"), storageKeys.demo);
    await signOut();
    expect(server.callsOf(logout)).toEqual([]);
    expect(currentSession()).toEqual({ status: "anonymous" });
  });

  it("ends on the server when a sign-in replaces it", async () => {
    const formerToken = tokenEndingIn(900, "former");
    await signInWith(formerToken);
    const tokens = { access_token: tokenEndingIn(900, "new", "grace"), refresh_token: "new" };
    signIn({ user: { ...grace, is_active: true, created_at: now, last_login_at: null }, tokens });
    expect(currentSession()).toMatchObject({ user: { id: grace.id } });
    await vi.waitFor(() => expect(server.callsOf(logout)).toHaveLength(1), patience);
    expect(server.callsOf(logout)[0]?.token).toBe(formerToken);
    expect(readStored(storageKeys.refreshToken)).toBe("new");
  });

  it("ends on sign-out although the server cannot be reached", async () => {
    const warning = vi.spyOn(console, "warn").mockImplementation(() => {});
    await signInWith(tokenEndingIn(900));
    server.on(logout, () => Promise.reject(new TypeError("Failed to fetch")));
    await signOut();
    expect(currentSession()).toEqual({ status: "anonymous" });
    expect(warning).toHaveBeenCalledTimes(1);
    warning.mockRestore();
  });
});

describe("what the app offers", () => {
  const signedIn = (role: (typeof ada)["role"]) =>
    storeSignedIn({
      user: { ...ada, role, is_active: true, created_at: now, last_login_at: null },
      tokens: { access_token: tokenEndingIn(900), refresh_token: "r" },
    });

  it.each([
    ["nobody", () => {}, [false, false, false, false]],
    ["the demo", enterDemo, [true, false, false, false]],
    ["a viewer", () => signedIn("viewer"), [false, true, false, false]],
    ["a member", () => signedIn("member"), [false, true, false, true]],
    ["an admin", () => signedIn("admin"), [false, true, true, true]],
  ])("%s depends on the session and the role", (_, start, expected) => {
    start();
    const { result } = renderHook(() => [useIsDemo(), useIsSignedIn(), useIsAdmin(), useMayChange()]);
    expect(result.current).toEqual(expected);
  });

  it("follows a role that changes, but not in the demo", () => {
    signedIn("viewer");
    updateUser({ ...ada, role: "admin" });
    noteMissingFactor();
    expect(currentSession()).toMatchObject({
      isDemo: false,
      user: { role: "admin", needs_second_factor: true },
    });
    expect(parseSessionUser(readStored(storageKeys.user) ?? "")?.needs_second_factor).toBe(true);
    enterDemo();
    updateUser({ ...ada, role: "viewer" });
    expect(currentSession()).toMatchObject({ isDemo: true, user: demoUser });
  });
});

describe("a refused session", () => {
  it("is announced once, and not to somebody who has signed out", () => {
    const announced = vi.fn();
    window.addEventListener("auth:logout", announced);
    announceRefusedSession();
    expect(announced).not.toHaveBeenCalled();
    enterDemo();
    announceRefusedSession();
    expect(announced).toHaveBeenCalledTimes(1);
    window.removeEventListener("auth:logout", announced);
  });
});

describe("a stored user", () => {
  it.each([
    ["no JSON", "{"],
    ["null", "null"],
    ["text", '"ada"'],
    ...Object.entries({
      email: undefined,
      avatar: 1,
      role: "owner",
      is_verified: "yes",
      organization: null,
      name: 1,
    }).map(([field, value]) => [
      `${field} ${JSON.stringify(value)}`,
      JSON.stringify({ ...ada, [field]: value }),
    ]),
    ["an organization without a name", JSON.stringify({ ...ada, organization: { id: "o" } })],
  ])("with %s is not used", (_, text) => {
    expect(parseSessionUser(text!)).toBeUndefined();
  });

  it("may have a picture, and lacks what earlier versions did not store", () => {
    const { is_operator: _, needs_second_factor: __, ...earlier } = { ...ada, avatar: "data:," };
    expect(parseSessionUser(JSON.stringify(earlier))).toEqual({ ...ada, avatar: "data:," });
  });
});

it("refuses a reply that breaks the contract", async () => {
  await signInWith(tokenEndingIn(900));
  server.on(listServices, () => Response.json({ services: "none" }));
  await expect(call(listServices)).rejects.toThrow(
    "The reply to GET /api/v1/protected/services breaks the contract",
  );
});
