import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { call } from "#base/call.ts";
import { flameGraphContentType, isEmail, profileTabOf, register, spanMs, toPath } from "./index.ts";
import { AlertSettings, AlertSettingsChange, endpointIn, endpointOf, endpoints, Since } from "./schemas.ts";

const endpoint = endpointIn("Operation");
const x = { summary: "X", reply: z.object({}) };

describe("calls", () => {
  it("are unique by method and path", () => {
    const names = endpoints.map(({ method, path }) => `${method} ${path}`);
    expect(names.length).toBeGreaterThan(15);
    expect(new Set(names).size).toBe(names.length);
  });

  it("come without the schemas of their requests and replies, which only servers load", () => {
    const loaded = new Set(["index.ts"]);
    // The iteration also visits what is added meanwhile.
    for (const file of loaded) {
      const text = readFileSync(new URL(file, import.meta.url), "utf8");
      for (const [, name] of text.matchAll(/^(?:import|export) (?!type )[^;]*? from "([^"]+)";/gms)) {
        if (name!.startsWith("#")) loaded.add(name!.slice(1));
        else if (name!.startsWith("./")) loaded.add(join(dirname(file), name!));
        else expect.unreachable(`${file} imports ${name}`);
      }
    }
    expect([...loaded]).toContain("alerts/calls.ts");
  });

  it("refuse passwords that are too long to be hashed, new or not", () => {
    const checked: string[] = [];
    for (const { path, body } of endpoints) {
      if (!(body instanceof z.ZodObject)) continue;
      const examples = Object.entries(body.shape).map(([name, field]) => {
        const { example } = field.meta() ?? {};
        return [name, example];
      });
      for (const name of Object.keys(body.shape).filter((name) => name.includes("password"))) {
        const messageFor = (length: number) =>
          body.safeParse({ ...Object.fromEntries(examples), [name]: "x".repeat(length) }).error?.issues[0]
            ?.message;
        checked.push(`${path} ${name}`);
        expect([path, name, messageFor(1024)]).toEqual([path, name, undefined]);
        expect([path, name, messageFor(1025)]).toEqual([
          path,
          name,
          "Password must be at most 1024 characters long",
        ]);
      }
    }
    expect(checked).toContain("/auth/login password");
    expect(checked).toContain("/api/v1/protected/user/password current_password");
  });

  it("have another name for each field of path, query and body, which operations get as one input", () => {
    const namesIn = ({ properties = {}, anyOf = [] }: z.core.JSONSchema.JSONSchema): string[] => [
      ...Object.keys(properties),
      ...anyOf.flatMap(namesIn),
    ];
    const namesOf = (schema: z.ZodType) =>
      namesIn(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));
    let looked = 0;
    for (const { method, path, params, query, body } of endpoints) {
      const names = [params, query, body].flatMap((part) => [...new Set(namesOf(part))]);
      looked += names.length;
      expect([method, path, names]).toEqual([method, path, [...new Set(names)]]);
    }
    expect(looked).toBeGreaterThan(100);
  });

  it("say what their path's parameters are", () => {
    let looked = 0;
    for (const { path, params } of endpoints) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      expect(params).toBeInstanceOf(z.ZodObject);
      expect(Object.keys((params as z.ZodObject).shape)).toEqual(named);
      looked++;
    }
    expect(looked).toBe(endpoints.length);
  });

  it("under the protected path need a session, and under ingestion a key", () => {
    for (const { path, auth } of endpoints) {
      if (path.startsWith("/api/v1/protected/")) expect([path, auth]).toEqual([path, "session"]);
      if (/^(\/api\/v1)?\/ingest/.test(path)) expect([path, auth]).toEqual([path, "ingestKey"]);
    }
  });

  it("are closed to the demo when they change something, unless they say otherwise", () => {
    // Calls of Connect only read, by POST.
    const open = endpoints.filter(
      (call) => call.isOpenToDemo && call.area !== "Readers" && call.method !== "GET",
    );
    expect(open.map(({ path }) => path)).toEqual([
      "/api/v1/protected/profile/{id}/analyze",
      "/api/v1/protected/service/{service}/analyze",
      "/mcp",
    ]);
    expect(endpoint(call("POST", "/x"), x).isOpenToDemo).toBe(false);
    expect(endpoint(call("POST", "/x"), { ...x, isOpenToDemo: true }).isOpenToDemo).toBe(true);
  });

  it("are closed to coding agents when they change something, unless they say so", () => {
    const open = endpoints.filter((call) => call.isOpenToAgents);
    expect(open.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /api/v1/protected/incidents/{id}/comments",
      "POST /api/v1/protected/profile/{id}/analyze",
      "POST /api/v1/protected/service/{service}/analyze",
      "PUT /api/v1/protected/analysis/{id}/recommendation/{recommendation}/feedback",
    ]);
  });

  it("admit every role to read, and admins and members to change something, unless they list roles", () => {
    expect(endpoint(call("GET", "/x"), x).roles).toEqual(["admin", "member", "viewer"]);
    expect(endpoint(call("POST", "/x"), x).roles).toEqual(["admin", "member"]);
    expect(endpoint(call("PUT", "/x"), { ...x, roles: ["admin"] }).roles).toEqual(["admin"]);
    expect(endpoint(call("GET", "/x"), { ...x, roles: ["admin"] }).isOpenToDemo).toBe(false);
    expect(endpoint(call("GET", "/x", "none"), x).roles).toEqual([]);
  });

  it("are limited to admins where they reveal or change what concerns the whole organization", () => {
    const limited = endpoints.filter(({ auth, roles }) => auth === "session" && roles.length === 1);
    expect(limited.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "GET /api/v1/protected/organization/audit",
      "GET /api/v1/protected/organization/audit/export",
      "PATCH /api/v1/protected/organization",
      "PUT /api/v1/protected/organization/second-factor",
      "DELETE /api/v1/protected/organization",
      "GET /api/v1/protected/organization/limits",
      "GET /api/v1/protected/organization/invitations",
      "POST /api/v1/protected/organization/invitations",
      "DELETE /api/v1/protected/organization/invitations/{id}",
      "PATCH /api/v1/protected/organization/members/{id}",
      "DELETE /api/v1/protected/organization/members/{id}",
      "POST /api/v1/protected/organization/members/{id}/transfer",
      "PUT /api/v1/protected/organization/public-links",
      "PUT /api/v1/protected/services/{service}/source-link",
      "DELETE /api/v1/protected/services/{service}/source-link",
      "GET /api/v1/protected/alert-digest",
      "PUT /api/v1/protected/alert-digest",
      "GET /api/v1/protected/alert-settings",
      "PUT /api/v1/protected/alert-settings",
      "POST /api/v1/protected/alert-settings/test",
      "PUT /api/v1/protected/organization/price",
      "PUT /api/v1/protected/organization/retention",
      "DELETE /api/v1/protected/services/{service}",
    ]);
    const open = endpoints.filter((call) => call.method !== "GET" && call.roles.includes("viewer"));
    const isOfOwnAccount = ({ path }: { path: string }) =>
      path.startsWith("/api/v1/protected/user/") || path.startsWith("/auth/single-sign-on/link");
    expect(open.filter((call) => !isOfOwnAccount(call) && !call.isForOperator)).toEqual([]);
  });

  it("that reply with a flame graph document where its JSON ends", () => {
    const graphs = endpoints.filter(
      ({ reply, downloads }) =>
        reply.type !== "undefined" &&
        downloads.some(({ contentType }) => contentType === flameGraphContentType),
    );
    expect(graphs.map(({ path }) => path)).toEqual([
      "/api/v1/protected/flamegraph/{id}",
      "/api/v1/protected/flamegraph/service/{service}/{type}",
      "/api/v1/demo/flame-graph",
    ]);
    for (const { path, description } of graphs) {
      expect([path, description]).toEqual([
        path,
        expect.stringContaining("at depth 512 and at about 128 MB"),
      ]);
    }
  });
});

describe("a path", () => {
  it("is filled in and encoded, with the query that was given", () => {
    const call = { path: "/profiles/service/{service}" };
    expect(toPath(call, { service: "a/b c" }, { since: "24h", q: "x&y", type: undefined, all: true })).toBe(
      "/profiles/service/a%2Fb%20c?since=24h&q=x%26y&all=true",
    );
    expect(toPath({ path: "/alerts" })).toBe("/alerts");
    expect(toPath({ path: "/a" }, {}, { labels: ["handler:/a,b", "tenant:x"], none: [] })).toBe(
      "/a?labels=handler%3A%2Fa%2Cb&labels=tenant%3Ax",
    );
  });

  it("with a parameter missing is a mistake of the program", () => {
    expect(() => toPath({ path: "/profile/{id}" })).toThrow("/profile/{id} needs the parameter id");
  });
});

describe("spans of time", () => {
  it.each([
    ["90s", 90_000],
    ["15m", 900_000],
    ["24h", 86_400_000],
    ["7d", 604_800_000],
  ])("%s is %d ms", (span, ms) => {
    expect(spanMs(span)).toBe(ms);
    expect(Since.parse(span)).toBe(span);
  });

  it.each(["", "24", "h", "-1h", "1.5h", "1w", "24h ", "99999999h", "0h", "3661d"])(
    "%j is refused with words",
    (span) => {
      const result = Since.safeParse(span);
      expect(result.error?.issues[0]?.message).toMatch(/^since must be a span of time/);
    },
  );
});

it("an unknown or missing type of a route means all", () => {
  expect(["CPU", "mutex", "metrics", "x", "", undefined].map(profileTabOf)).toEqual([
    "cpu",
    "mutex",
    "all",
    "all",
    "all",
    "all",
  ]);
});

it("an address is text, @, text, dot, text", () => {
  expect(["a@b.c", "ada.l+x@mail.example.com"].map(isEmail)).toEqual([true, true]);
  expect(["a@b", "@b.c", "a b@c.d", "a@b@c.d", "a@b.", ""].map(isEmail)).toEqual(Array(6).fill(false));
  expect(isEmail(`${"a".repeat(251)}@b.c`)).toBe(false);
  const severalMeanings = [
    "<a@b.c>",
    "a;b@c.d",
    "a,b@c.d",
    '"a"@b.c',
    "a(x)@b.c",
    "a@b.c>",
    "a:b@c.d",
    "a\\b@c.d",
    "a@[b.c]",
  ];
  expect(severalMeanings.filter(isEmail)).toEqual([]);
  expect(["a\0@b.c", "\u202ea@b.c"].map(isEmail)).toEqual([false, false]);
});

describe("alert channels", () => {
  it("have their fields in a change of the settings and in the reply", () => {
    expect(Object.keys(AlertSettingsChange.shape)).toEqual([
      "webhook_url",
      "webhook_secret",
      "slack_url",
      "teams_url",
      "pagerduty_routing_key",
      "pagerduty_region",
      "emails",
    ]);
    const { emails, problem, ...channels } = AlertSettings.shape;
    expect(Object.entries(channels).map(([name, { shape }]) => [name, ...Object.keys(shape)])).toEqual([
      ["webhook", "is_set", "origin", "is_signed"],
      ["slack", "is_set", "origin"],
      ["teams", "is_set", "origin"],
      ["pagerduty", "is_set", "region"],
    ]);
  });

  it.each([
    {
      webhook_url: "ftp://a",
      text: "webhook_url must be an http or https URL without a name and password in it",
    },
    {
      slack_url: "https://a:b@c",
      text: "slack_url must be an http or https URL without a name and password in it",
    },
    { webhook_secret: "x", text: "webhook_secret must be at least 16 characters long" },
    { webhook_secret: "x".repeat(201), text: "webhook_secret must be at most 200 characters long" },
    { pagerduty_routing_key: "x", text: "pagerduty_routing_key must be 32 letters and digits" },
  ])("say what is wrong with a value: $text", ({ text, ...change }) => {
    expect(AlertSettingsChange.safeParse(change).error?.issues.map(({ message }) => message)).toEqual([text]);
  });

  it("are removed by null, all but a list", () => {
    expect(AlertSettingsChange.safeParse({ slack_url: null, pagerduty_routing_key: null }).success).toBe(
      true,
    );
    expect(AlertSettingsChange.safeParse({ emails: null }).success).toBe(false);
  });
});

it("a registration complains about one thing at a time", () => {
  const check = endpointOf(register).body.safeParse({
    email: "no",
    password: "x",
    first_name: "A",
    last_name: "B",
  });
  expect(check.error?.issues.map((issue) => issue.message)).toEqual(["Please enter a valid email address"]);
});
