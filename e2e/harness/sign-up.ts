import type { KeyFormat } from "@flamekeep/contract";

/** A new organization on a running server, with a key to send and a session to read. */
export interface Account {
  readonly key: string;
  /** Makes one more key to send with. */
  makeKey(format: KeyFormat): Promise<string>;
  /** For calls of the signed-in person. */
  readonly headers: Readonly<Record<string, string>>;
  /** Signs in again, at a server that may have moved; a session ends after 15 minutes. Returns its headers. */
  signIn(url: string): Promise<Readonly<Record<string, string>>>;
  readonly password: string;
  /** The session that began with the registration. */
  readonly registered: Session;
  /** Signs in again. */
  session(): Promise<Session>;
  /** Sends one profile and returns its id. */
  send(body: Buffer, query: string): Promise<string>;
}

export interface Session {
  readonly user: { readonly email: string; readonly organization: { readonly id: string } };
  readonly tokens: { readonly access_token: string; readonly refresh_token: string };
}

/** A session as the app keeps it in the browser's storage. */
export function storedSession({ user, tokens }: Session): Readonly<Record<string, string>> {
  return {
    "flamekeep.access_token": tokens.access_token,
    "flamekeep.refresh_token": tokens.refresh_token,
    "flamekeep.user": JSON.stringify(user),
  };
}

/** @param sent headers of the registration */
export async function signUp(url: string, sent: Readonly<Record<string, string>> = {}): Promise<Account> {
  const person = {
    email: `grace-${crypto.randomUUID()}@example.com`,
    password: crypto.randomUUID(),
    first_name: "Grace",
    last_name: "Hopper",
  };
  const registered = await json(await post(`${url}/auth/register`, person, sent));
  const headers = { authorization: `Bearer ${registered.tokens.access_token}` };
  const makeKey = async (format: KeyFormat): Promise<string> => {
    const made = await post(`${url}/api/v1/protected/api-keys`, { name: "test", format }, headers);
    return (await json(made)).api_key.key;
  };
  const key = await makeKey("flamekeep");
  const { email, password } = person;
  const session = async (at: string) => json(await post(`${at}/auth/login`, { email, password }, {}));
  return {
    key,
    makeKey,
    headers,
    password,
    registered,
    async signIn(at) {
      return { authorization: `Bearer ${(await session(at)).tokens.access_token}` };
    },
    session: () => session(url),
    async send(body, query) {
      const reply = await fetch(`${url}/api/v1/ingest/profiles?${query}`, {
        method: "POST",
        headers: { "x-api-key": key, "content-type": "application/octet-stream" },
        body: new Uint8Array(body),
      });
      return (await json(reply)).profile_id;
    },
  };
}

interface Replies extends Session {
  readonly api_key: { readonly key: string };
  readonly profile_id: string;
}

function post(url: string, body: object, headers: Readonly<Record<string, string>>): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

async function json(reply: Response): Promise<Replies> {
  if (!reply.ok) throw new Error(`${reply.url} answered ${reply.status}: ${await reply.text()}`);
  return (await reply.json()) as Replies;
}
