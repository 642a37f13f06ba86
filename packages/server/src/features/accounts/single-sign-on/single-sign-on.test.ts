import { readdir, readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import Provider from "oidc-provider";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";

const secret = "canary-oidc-client-secret-4711";
const publicUrl = "http://flamekeep.test";
const verified = { email_verified: true, given_name: "Grace", family_name: "Hopper" };
const people: Record<string, object> = {};

let provider: Server;
let issuer: string;
let server: TestApp;
let mappedOrgId: string;
let operator: Person;

async function startProvider(): Promise<void> {
  provider = createServer();
  await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
  issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  const oidc = new Provider(issuer, {
    clients: [
      { client_id: "flamekeep", client_secret: secret, redirect_uris: [`${publicUrl}/single-sign-on`] },
    ],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["given_name", "family_name"] },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...people[id] }) }),
    cookies: { keys: ["only for tests"] },
  });
  provider.on("request", oidc.callback());
}

const env = (over: Record<string, string> = {}) => ({
  PUBLIC_URL: publicUrl,
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: "flamekeep",
  OIDC_CLIENT_SECRET: secret,
  OIDC_NAME: "Example Login",
  ...over,
});

beforeAll(async () => {
  await startProvider();
  mappedOrgId = "11111111-1111-4111-8111-111111111111";
  server = await startApp({
    env: env({ SIGNUP: "invite", OIDC_DOMAINS: `mapped.example=${mappedOrgId}:viewer` }),
  });
  operator = await server.signUp("operator@example.com");
  await server.rows
    .insertInto("organizations")
    .values({ id: mappedOrgId, name: "Mapped", isDemo: 0, createdAt: new Date().toISOString() })
    .execute();
});
afterAll(async () => {
  await server?.close();
  provider.closeAllConnections();
  await new Promise((resolve) => provider.close(resolve));
});

let addresses = 0;
/** Calls are limited by address. */
const nextAddress = () => `198.51.100.${addresses++ % 256}`;

async function begin(at = server) {
  const reply = await at.app.inject({
    method: "POST",
    url: "/auth/single-sign-on",
    remoteAddress: nextAddress(),
  });
  const cookie = String(reply.headers["set-cookie"] ?? "").split(";")[0] as string;
  return { reply, cookie, url: reply.json().url as string };
}

/** Signs in at the provider as a browser does, and returns the query with which it sends back. */
async function signInAtProvider(url: string, login: string): Promise<string> {
  const jar = new Map<string, string>();
  let next = url;
  let form: Record<string, string> | undefined;
  for (let step = 0; step < 15; step++) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const init = form && { method: "POST", body: new URLSearchParams(form) };
    const reply: Response = await fetch(next, { ...init, headers: { cookie }, redirect: "manual" });
    for (const set of reply.headers.getSetCookie()) {
      const [pair = ""] = set.split(";");
      const at = pair.indexOf("=");
      jar.set(pair.slice(0, at), pair.slice(at + 1));
    }
    const location = reply.headers.get("location");
    form = undefined;
    if (location !== null) {
      next = new URL(location, next).href;
      if (next.startsWith(publicUrl)) return new URL(next).search;
      continue;
    }
    const page = await reply.text();
    const action = /action="([^"]+)"/.exec(page)?.[1];
    const prompt = /name="prompt" value="([^"]+)"/.exec(page)?.[1];
    if (action === undefined || prompt === undefined)
      throw new Error(`the provider answered ${reply.status}: ${page}`);
    next = new URL(action, next).href;
    form = { prompt, login, password: "any" };
  }
  throw new Error("the provider did not send the browser back");
}

const finish = (query: string, cookie: string, { at = server, invitation }: Finish = {}) =>
  at.app.inject({
    method: "POST",
    url: "/auth/single-sign-on/finish",
    remoteAddress: nextAddress(),
    headers: { cookie },
    payload: { query, invitation },
  });

interface Finish {
  readonly at?: TestApp;
  readonly invitation?: string;
}

async function signInAs(login: string, options: Finish = {}) {
  const { cookie, url } = await begin(options.at);
  return finish(await signInAtProvider(url, login), cookie, options);
}

describe("single sign-on", () => {
  it("signs a new person of a mapped domain in, with the role of the mapping, and finds the person again by subject", async () => {
    people["grace"] = { email: "grace@mapped.example", ...verified };
    const first = await signInAs("grace");
    expect([first.statusCode, first.body]).toEqual([200, expect.any(String)]);
    expect(first.json().user).toMatchObject({
      role: "viewer",
      first_name: "Grace",
      is_verified: true,
      organization: { id: mappedOrgId },
    });
    people["grace"] = { email: "grace@other.example", ...verified };
    const again = await signInAs("grace");
    expect(again.json().user.id).toBe(first.json().user.id);
  });

  it("shows the hidden characters of a name that the provider sends", async () => {
    const names = { given_name: "\u202egnp.exe\r\nX", family_name: `B${"x".repeat(98)}\u{1f600}` };
    people["hidden"] = { email: "hidden@mapped.example", ...verified, ...names };
    const { user } = (await signInAs("hidden")).json();
    expect([user.first_name, user.last_name]).toEqual([
      "\ufffdgnp.exe\ufffd\ufffdX",
      `B${"x".repeat(98)}\ufffd`,
    ]);
  });

  it("refuses an address that the provider has not confirmed", async () => {
    people["eve"] = { email: "eve@mapped.example", email_verified: false };
    const reply = await signInAs("eve");
    expect([reply.statusCode, reply.json().error]).toEqual([
      403,
      "Example Login has not confirmed your email address. Confirm it there, then try again.",
    ]);
  });

  it("refuses an address that would name another mailbox", async () => {
    people["odd"] = { email: "<victim@mapped.example>", ...verified };
    expect((await signInAs("odd")).json().error).toBe(
      "Example Login sent an email address that cannot be used here.",
    );
  });

  it("refuses new people of other domains where registration is closed", async () => {
    people["mallory"] = { email: "mallory@unmapped.example", ...verified };
    const reply = await signInAs("mallory");
    expect([reply.statusCode, reply.json().error]).toEqual([
      403,
      expect.stringMatching(/by invitation only/),
    ]);
  });

  it("takes a new person and one with an account into the organization of an invitation, once", async () => {
    const invite = async (email: string | null) => {
      const reply = await server.app.inject({
        method: "POST",
        url: "/api/v1/protected/organization/invitations",
        headers: operator.headers,
        payload: { email, role: "member" },
      });
      return (reply.json().url as string).split("/").at(-1)!;
    };
    people["new"] = { email: "new@unmapped.example", ...verified };
    const invitation = await invite(null);
    const joined = await signInAs("new", { invitation });
    const { role, organization } = joined.json().user;
    expect([role, organization.id]).toEqual(["member", operator.orgId]);
    people["grace"] = { email: "grace@mapped.example", ...verified };
    const used = await signInAs("grace", { invitation });
    expect([used.statusCode, used.json().error]).toEqual([
      400,
      "This invitation is no longer valid. Ask for a new one.",
    ]);
    const accepted = await signInAs("grace", { invitation: await invite(null) });
    expect(accepted.json().user.organization.id).toBe(operator.orgId);
    const forAnother = await signInAs("new", { invitation: await invite("somebody@example.com") });
    expect(forAnother.statusCode).toBe(403);
  });

  it("does not link an account whose address was not confirmed here, and links it afterwards", async () => {
    people["op"] = { email: "Operator@example.com", ...verified };
    const refused = await signInAs("op");
    expect([refused.statusCode, refused.json().error]).toEqual([
      403,
      expect.stringMatching(/was not confirmed here/),
    ]);
    await server.rows
      .updateTable("users")
      .set({ isVerified: 1 })
      .where("emailKey", "=", "operator@example.com")
      .execute();
    const linked = await signInAs("op");
    expect([linked.statusCode, linked.json().user.email]).toEqual([200, "operator@example.com"]);
  });

  it("reports a link by address to the owner by mail, and links no second account of the provider", async () => {
    const email = "moved@mapped.example";
    people["first"] = { email, ...verified };
    const { user } = (await signInAs("first")).json();
    await server.rows.deleteFrom("identities").where("userId", "=", user.id).execute();
    expect((await signInAs("first")).json().user.id).toBe(user.id);
    expect(await noticesTo(email)).toEqual([expect.stringContaining("was linked to your account")]);
    people["successor"] = { email, ...verified };
    const refused = await signInAs("successor");
    expect([refused.statusCode, refused.json().error]).toEqual([
      403,
      expect.stringMatching(/belongs to another account at Example Login/),
    ]);
    expect((await signInAs("first")).statusCode).toBe(200);
    expect(await noticesTo(email)).toHaveLength(1);
  });

  async function noticesTo(email: string): Promise<string[]> {
    await server.ctx.mailQueue.idle();
    const folder = `${server.ctx.config.dataDir}/outbox`;
    const names = await readdir(folder);
    const texts = await Promise.all(names.map((name) => readFile(`${folder}/${name}`, "utf8")));
    return texts.filter((text) => text.includes(`To: ${email}`));
  }

  it("refuses a code that was used, another state, another nonce and a browser without the cookie", async () => {
    people["grace"] = { email: "grace@mapped.example", ...verified };
    const { cookie, url } = await begin();
    const query = await signInAtProvider(url, "grace");
    expect((await finish(query, "")).statusCode).toBe(401);
    const other = await begin();
    expect((await finish(query, other.cookie)).statusCode).toBe(401);
    expect((await finish(query.replace(/state=[^&]+/, "state=x"), cookie)).statusCode).toBe(401);
    expect((await finish(query, `${cookie.slice(0, -2)}xx`)).statusCode).toBe(401);
    expect((await finish(query, cookie)).statusCode).toBe(200);
    expect((await finish(query, cookie)).statusCode).toBe(401);
    const replaced = await begin();
    const nonceUrl = new URL(replaced.url);
    nonceUrl.searchParams.set("nonce", "another");
    const withNonce = await signInAtProvider(nonceUrl.href, "grace");
    expect((await finish(withNonce, replaced.cookie)).statusCode).toBe(401);
  });

  describe("for an account that is signed in", () => {
    const asPerson = (
      { headers }: Pick<Person, "headers">,
      method: "GET" | "POST" | "DELETE",
      url: string,
      options: { readonly payload?: object; readonly cookie?: string } = {},
    ) =>
      server.app.inject({
        method,
        url,
        headers: { ...headers, ...(options.cookie && { cookie: options.cookie }) },
        ...(options.payload && { payload: options.payload }),
      });

    async function beginLink(person: Person) {
      const payload = { password: person.password };
      const reply = await asPerson(person, "POST", "/auth/single-sign-on/link", { payload });
      expect(reply.statusCode).toBe(200);
      const cookie = String(reply.headers["set-cookie"]).split(";")[0] as string;
      return { cookie, url: reply.json().url as string };
    }

    const finishLink = (person: Pick<Person, "headers">, query: string, cookie: string) =>
      asPerson(person, "POST", "/auth/single-sign-on/link/finish", { payload: { query }, cookie });

    async function linkAs(person: Person, login: string) {
      const { cookie, url } = await beginLink(person);
      return finishLink(person, await signInAtProvider(url, login), cookie);
    }

    const identitiesOf = async (person: Person) =>
      (await asPerson(person, "GET", "/api/v1/protected/user/identities")).json();

    async function events(orgId: string): Promise<string[]> {
      await server.ctx.audit.idle();
      const rows = await server.rows
        .selectFrom("auditEntries")
        .select("event")
        .where("orgId", "=", orgId)
        .execute();
      return rows.map(({ event }) => event).filter((event) => event.startsWith("identity."));
    }

    /** Registration is closed on this server. */
    async function signUp(name: string): Promise<Person> {
      const invited = await asPerson(operator, "POST", "/api/v1/protected/organization/invitations", {
        payload: { role: "member" },
      });
      const email = `${name}@here.example`;
      const payload = {
        email,
        password: operator.password,
        first_name: name,
        last_name: "Here",
        invitation: invited.json().url.split("/").at(-1),
      };
      const reply = await server.app.inject({ method: "POST", url: "/auth/register", payload });
      const { user, tokens } = reply.json();
      return {
        email,
        password: operator.password,
        userId: user.id,
        orgId: user.organization.id,
        accessToken: tokens.access_token,
        refreshToken: tokens.refresh_token,
        headers: { authorization: `Bearer ${tokens.access_token}` },
      };
    }

    it("links another address after the password, signs in with it, and unlinks it after the password", async () => {
      const lin = await signUp("lin");
      people["linwork"] = { email: "lin@work.example", ...verified };
      const wrong = { payload: { password: "wrong" } };
      expect((await asPerson(lin, "POST", "/auth/single-sign-on/link", wrong)).statusCode).toBe(400);
      expect(await identitiesOf(lin)).toEqual({ provider: "Example Login", identities: [] });
      const linked = await linkAs(lin, "linwork");
      expect(linked.json().identity).toMatchObject({ issuer: expect.stringMatching(/^http/) });
      expect((await identitiesOf(lin)).identities).toEqual([linked.json().identity]);
      expect((await signInAs("linwork")).json().user.id).toBe(lin.userId);

      const url = `/api/v1/protected/user/identities/${linked.json().identity.id}`;
      expect((await asPerson(lin, "DELETE", url, wrong)).statusCode).toBe(400);
      const payload = { password: lin.password };
      expect((await asPerson(operator, "DELETE", url, { payload })).statusCode).toBe(404);
      expect((await asPerson(lin, "DELETE", url, { payload })).statusCode).toBe(200);
      expect((await asPerson(lin, "DELETE", url, { payload })).statusCode).toBe(404);
      const refused = await signInAs("linwork");
      expect([refused.statusCode, refused.json().error]).toEqual([
        403,
        expect.stringMatching(/was unlinked/),
      ]);
      expect(await events(lin.orgId)).toEqual(
        expect.arrayContaining(["identity.linked", "identity.unlinked"]),
      );
    });

    it("does not link an unlinked account again by its address, only when its owner does", async () => {
      const max = await signUp("max");
      await server.rows.updateTable("users").set({ isVerified: 1 }).where("id", "=", max.userId).execute();
      people["max"] = { email: "max@here.example", ...verified };
      expect((await signInAs("max")).json().user.id).toBe(max.userId);
      const [{ id }] = (await identitiesOf(max)).identities;
      const payload = { password: max.password };
      await asPerson(max, "DELETE", `/api/v1/protected/user/identities/${id}`, { payload });
      expect((await signInAs("max")).statusCode).toBe(403);
      expect((await identitiesOf(max)).identities).toEqual([]);
      expect((await linkAs(max, "max")).statusCode).toBe(200);
      expect((await signInAs("max")).json().user.id).toBe(max.userId);
    });

    it("refuses an account at the provider that is linked to another account here", async () => {
      people["zoe"] = { email: "zoe@zoes.example", ...verified };
      const [zoe, yan] = [await signUp("zoe"), await signUp("yan")];
      expect((await linkAs(zoe, "zoe")).statusCode).toBe(200);
      const taken = await linkAs(yan, "zoe");
      expect([taken.statusCode, taken.json().error]).toEqual([
        409,
        expect.stringMatching(/already linked to another Flamekeep account/),
      ]);
      expect((await signInAs("zoe")).json().user.id).toBe(zoe.userId);
    });

    it("finishes a link only in the session that began it, and a sign-in never as a link", async () => {
      const [ida, joe] = [await signUp("ida"), await signUp("joe")];
      people["ida"] = { email: "ida@idas.example", ...verified };
      const { cookie, url } = await beginLink(ida);
      const query = await signInAtProvider(url, "ida");
      expect((await finishLink(joe, query, cookie)).statusCode).toBe(400);
      expect((await finish(query, cookie)).statusCode).toBe(401);
      const signingIn = await begin();
      const other = await signInAtProvider(signingIn.url, "ida");
      expect((await finishLink(ida, other, signingIn.cookie)).statusCode).toBe(400);
      expect((await finishLink(ida, query, "")).json().error).toBe(
        "Linking the account took too long. Start again under Settings, Account.",
      );
      expect((await finishLink(ida, "?error=access_denied", cookie)).json().error).toBe(
        "Example Login did not confirm the account to link. Start again under Settings, Account.",
      );
      expect((await identitiesOf(joe)).identities).toEqual([]);
      expect((await finishLink(ida, query, cookie)).statusCode).toBe(200);
      expect((await finishLink(ida, query, cookie)).statusCode).toBe(400);
    });
  });

  it("says that the provider is away, and signs in with passwords meanwhile", async () => {
    const away = await startApp({ env: env({ OIDC_ISSUER: "http://127.0.0.1:9" }) });
    try {
      const { reply } = await begin(away);
      expect([reply.statusCode, reply.json().error]).toEqual([
        503,
        expect.stringMatching(/^Example Login cannot be reached/),
      ]);
      await away.signUp("ada@example.com");
    } finally {
      await away.close();
    }
  });

  it("logs neither the client secret nor a code", () => {
    expect(server.logged.length).toBeGreaterThan(0);
    expect(server.logged.join("\n")).not.toContain(secret);
    expect(server.logged.join("\n")).not.toMatch(/code=[\w-]{20}/);
  });
});
