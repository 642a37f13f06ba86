import type { MovedSession, SignedIn } from "@flamekeep/contract";
import { useSyncExternalStore } from "react";
import { readStored, removeStored, storageKeys, writeStored } from "#preferences/storage.ts";
import { renewTokens, tokenExpiry } from "./renew-tokens.ts";
import { demoUser, parseSessionUser, type SessionUser } from "./session-user.ts";

export type Session =
  | { readonly status: "loading" }
  /** `wasRefused` if the server refused a session that nobody signed out of in this tab. */
  | { readonly status: "anonymous"; readonly wasRefused?: true }
  | { readonly status: "authenticated"; readonly user: SessionUser; readonly isDemo: boolean };

let session: Session = { status: "loading" };
const listeners = new Set<() => void>();
const ownerListeners = new Set<(owner: Owner, formerOwner: Owner) => void>();

/** The person and the organization whose data is on screen; undefined if nobody is signed in. */
type Owner = string | undefined;

function setSession(next: Session): void {
  const before = session;
  session = next;
  const [owner, formerOwner] = [ownerOf(next), ownerOf(before)];
  // Before the first session is restored, no page has read anything.
  if (before.status !== "loading" && owner !== formerOwner) {
    for (const listener of ownerListeners) listener(owner, formerOwner);
  }
  for (const listener of listeners) listener();
}

function ownerOf(of: Session): Owner {
  return of.status === "authenticated" ? `${of.user.id} ${of.user.organization.id}` : undefined;
}

/** Calls the listener whenever another person, another organization or nobody has the session, whichever tab caused it. */
export function onOwnerChange(listener: (owner: Owner, formerOwner: Owner) => void): void {
  ownerListeners.add(listener);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function currentSession(): Session {
  return session;
}

export function useSession(): Session {
  return useSyncExternalStore(subscribe, () => session);
}

function readStoredStart(): SessionStart {
  return sessionStart(
    {
      demo: readStored(storageKeys.demo),
      accessToken: readStored(storageKeys.accessToken),
      refreshToken: readStored(storageKeys.refreshToken),
      user: readStored(storageKeys.user),
    },
    Date.now() / 1000,
  );
}

async function restore(): Promise<void> {
  const start = readStoredStart();
  if (start.kind === "demo") return setSession({ status: "authenticated", user: demoUser, isDemo: true });
  if (start.kind === "anonymous") {
    removeStored(...start.clear.map((name) => storageKeys[name]));
    if (session.status !== "anonymous") setSession({ status: "anonymous" });
    return;
  }
  if (start.kind === "refresh" && (await renewTokens()) === "refused") return endSession(refused);
  setSession({ status: "authenticated", user: start.user, isDemo: false });
}

/** The detail of `auth:logout` if the server refused the session. */
const refused = "refused";

function endSession(why?: typeof refused): void {
  removeStored(storageKeys.accessToken, storageKeys.refreshToken, storageKeys.user, storageKeys.demo);
  setSession({ status: "anonymous", ...(why === refused && { wasRefused: true }) });
}

/** Restores the stored session and follows sign-in and sign-out in other tabs. */
export async function startSession(): Promise<void> {
  window.addEventListener("auth:logout", (event) => {
    endSession((event as CustomEvent<typeof refused | undefined>).detail);
  });
  window.addEventListener("storage", (event) => {
    const isOfSession =
      event.key === storageKeys.user || event.key === storageKeys.demo || event.key === null;
    if (isOfSession) void restore();
  });
  await restore();
}

/** Does not end a session that the browser already has: `signIn` does. */
export function storeSession(reply: SignedIn): void {
  removeStored(storageKeys.demo);
  writeStored(storageKeys.accessToken, reply.tokens.access_token);
  writeStored(storageKeys.refreshToken, reply.tokens.refresh_token);
  writeStored(storageKeys.user, JSON.stringify(reply.user));
  setSession({ status: "authenticated", user: reply.user, isDemo: false });
}

/** The session goes on in another organization. */
export function moveSession({ user, access_token }: MovedSession): void {
  writeStored(storageKeys.accessToken, access_token);
  updateUser(user);
}

/** The role of a person, and the name of their organization, may have changed since the sign-in. */
export function updateUser(user: SessionUser): void {
  if (session.status !== "authenticated" || session.isDemo) return;
  const text = JSON.stringify(user);
  if (text === readStored(storageKeys.user)) return;
  writeStored(storageKeys.user, text);
  setSession({ status: "authenticated", user, isDemo: false });
}

/** The organization began to require a second factor that this person does not have. */
export function noteMissingFactor(): void {
  if (session.status === "authenticated") updateUser({ ...session.user, needs_second_factor: true });
}

/** The person has handed the role of the operator to somebody else. */
export function noteOperatorRoleLost(): void {
  if (session.status === "authenticated") updateUser({ ...session.user, is_operator: false });
}

export function enterDemo(): void {
  removeStored(storageKeys.accessToken, storageKeys.refreshToken, storageKeys.user);
  writeStored(storageKeys.demo, "true");
  setSession({ status: "authenticated", user: demoUser, isDemo: true });
}

export function announceLogout(): void {
  window.dispatchEvent(new CustomEvent("auth:logout"));
}

/** The server refused the session. Nothing is announced if the person has just signed out: then it refuses calls that are under way. */
export function announceRefusedSession(): void {
  if (session.status === "anonymous") return;
  window.dispatchEvent(new CustomEvent("auth:logout", { detail: refused }));
}

export function useIsDemo(): boolean {
  const session = useSession();
  return session.status === "authenticated" && session.isDemo;
}

/** Whether a person with an account is signed in; false in the demo. */
export function useIsSignedIn(): boolean {
  const session = useSession();
  return session.status === "authenticated" && !session.isDemo;
}

/** Whether this person may change what concerns the whole organization. */
export function useIsAdmin(): boolean {
  const session = useSession();
  return session.status === "authenticated" && !session.isDemo && session.user.role === "admin";
}

/** Whether the server lets this person change data: not in the demo, and not as a viewer. */
export function useMayChange(): boolean {
  const session = useSession();
  return session.status === "authenticated" && !session.isDemo && session.user.role !== "viewer";
}

interface StoredSession {
  readonly demo: string | null;
  readonly accessToken: string | null;
  readonly refreshToken: string | null;
  readonly user: string | null;
}

type SessionStart =
  | { readonly kind: "demo" }
  | { readonly kind: "restore"; readonly user: SessionUser }
  | { readonly kind: "refresh"; readonly user: SessionUser }
  | { readonly kind: "anonymous"; readonly clear: readonly ("accessToken" | "refreshToken" | "user")[] };

/** How to start a page with what the browser stored. */
export function sessionStart(stored: StoredSession, nowSeconds: number): SessionStart {
  if (stored.demo === "true") return { kind: "demo" };
  if (stored.accessToken === null || stored.user === null) return { kind: "anonymous", clear: [] };
  const expiry = tokenExpiry(stored.accessToken);
  const user = parseSessionUser(stored.user);
  if (expiry === undefined || user === undefined) {
    return { kind: "anonymous", clear: ["accessToken", "refreshToken", "user"] };
  }
  if (expiry > nowSeconds) return { kind: "restore", user };
  if (stored.refreshToken !== null) return { kind: "refresh", user };
  return { kind: "anonymous", clear: ["accessToken", "user"] };
}
