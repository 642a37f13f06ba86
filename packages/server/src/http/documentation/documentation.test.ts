import { readFileSync } from "node:fs";
import { connectErrors, endpoints, failureStatus } from "@flamekeep/contract";
import { describe, expect, it } from "vitest";
import { describedReplies, pointerTo } from "#testing/described-replies.ts";
import { toGuidePage } from "./guide.ts";
import { html } from "./html.ts";
import { exampleOf, type JsonSchema } from "./json-schema.ts";
import { guideOf } from "./markdown.ts";
import { toOpenApi } from "./openapi.ts";
import { toPage } from "./page.ts";

const openApi = toOpenApi("1.2.3");

function references(value: unknown): string[] {
  return [...JSON.stringify(value).matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1] as string);
}

describe("OpenAPI", () => {
  it("lists every call of the contract under its path and method", () => {
    expect(openApi.openapi).toBe("3.1.0");
    expect(endpoints.length).toBeGreaterThan(15);
    for (const { path, method } of endpoints)
      expect(openApi.paths[path]?.[method.toLowerCase()]).toBeDefined();
  });

  it("refers only to schemas that it contains", () => {
    const found = references(openApi);
    expect(found.length).toBeGreaterThan(20);
    for (const ref of found) expect(openApi.components.schemas[ref.split("/").at(-1) ?? ""]).toBeDefined();
    expect(JSON.stringify(openApi)).not.toContain("$defs");
  });

  it("names each operation once and describes the authentication", () => {
    const operations = Object.values(openApi.paths).flatMap((path) => Object.values(path)) as {
      operationId: string;
      security: object[];
      responses: Record<string, unknown>;
    }[];
    expect(new Set(operations.map((o) => o.operationId)).size).toBe(endpoints.length);
    const schemes = Object.keys(openApi.components.securitySchemes);
    for (const name of operations.flatMap((o) => o.security.flatMap(Object.keys)))
      expect(schemes).toContain(name);
    const open = operations.filter((o) => o.security.length > 0 && !("401" in o.responses));
    expect(open).toEqual([]);
  });

  it("names the tokens of the calls for signing in", () => {
    const of = (path: string) => (openApi.paths[path]?.post as { security?: object[] } | undefined)?.security;
    expect(of("/auth/refresh-token")).toEqual([{ refreshToken: [] }]);
    expect(of("/auth/logout")).toEqual([{ session: [] }, { refreshToken: [] }]);
    expect(of("/auth/login")).toEqual([]);
  });

  it("names the roles that a call is limited to, and the failure for other roles", () => {
    const limited = openApi.paths["/api/v1/protected/alert-settings"]?.put as {
      security: object[];
      responses: object;
    };
    expect(limited.security).toEqual([{ session: ["admin"] }]);
    expect(Object.keys(limited.responses)).toContain("403");
    const read = openApi.paths["/api/v1/protected/profiles"]?.get as typeof limited;
    expect(read.security).toEqual([{ session: ["admin", "member", "viewer"] }]);
    expect(Object.keys(read.responses)).not.toContain("403");
  });

  it("marks required parameters", () => {
    const send = openApi.paths["/api/v1/ingest/profiles"]?.post as {
      parameters: { name: string; required: boolean }[];
    };
    expect(send.parameters.map(({ name, required }) => [name, required])).toEqual([
      ["service", true],
      ["type", false],
      ["started_at", false],
      ["delta", false],
    ]);
  });
});

describe("examples", () => {
  interface Media {
    readonly schema?: JsonSchema;
    readonly example?: unknown;
  }
  interface Operation {
    readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
    readonly responses: Readonly<
      Record<string, { readonly description: string; readonly content?: Readonly<Record<string, Media>> }>
    >;
  }
  const { checkValue } = describedReplies(openApi);
  const operations = Object.entries(openApi.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...(operation as Operation) })),
  );

  it("are given for every JSON reply and match its schema", () => {
    let looked = 0;
    for (const { path, method, responses } of operations) {
      for (const [status, { content }] of Object.entries(responses)) {
        const media = content?.["application/json"];
        if (media === undefined) continue;
        expect([path, status, media.example]).toEqual([path, status, expect.anything()]);
        const at = ["responses", status, "content", "application/json", "schema"];
        checkValue(pointerTo("paths", path, method, ...at), media.example);
        looked++;
      }
    }
    expect(looked).toBeGreaterThan(3 * endpoints.length);
  });

  it("of failures have the code of their status and its message, and a sentence says when each occurs", () => {
    const codes: Readonly<Record<string, number>> = failureStatus;
    const statusesOf = (code: string): readonly (number | undefined)[] => [
      codes[code],
      ...Object.values(connectErrors).flatMap((error) => (error.code === code ? [error.status] : [])),
    ];
    let looked = 0;
    for (const { path, responses } of operations) {
      for (const [status, { description, content }] of Object.entries(responses)) {
        const example = content?.["application/json"]?.example as Record<string, string> | undefined;
        if (Number(status) < 400 || example?.code === undefined) continue;
        const { code, error, message = error } = example;
        const expected = status === "default" ? 503 : Number(status);
        expect([path, status, statusesOf(code)]).toEqual([path, status, expect.arrayContaining([expected])]);
        expect(description).toMatch(/^[A-Z].* .*\.$/);
        expect(error === "Profile not found").toBe(code === "not_found");
        expect(message).toBe(error ?? message);
        looked++;
      }
    }
    expect(looked).toBeGreaterThan(3 * endpoints.length);
  });

  it("are given for every JSON body, match its schema and pass the check of the call", () => {
    let looked = 0;
    for (const { path, method, requestBody } of operations) {
      const media = requestBody?.content["application/json"];
      if (media === undefined) continue;
      checkValue(
        pointerTo("paths", path, method, "requestBody", "content", "application/json", "schema"),
        media.example,
      );
      const call = endpoints.find((each) => each.path === path && each.method.toLowerCase() === method);
      const check = (call?.upload?.schema ?? call?.body)?.safeParse(media.example);
      expect([path, check?.error?.issues]).toEqual([path, undefined]);
      looked++;
    }
    const withJson = endpoints.filter((call) => call.body.type !== "undefined" || call.upload?.schema);
    expect(looked).toBe(withJson.length);
    expect(looked).toBeGreaterThan(10);
  });

  it("are never invented: a schema without one is an error", () => {
    expect(() => exampleOf({ type: "object", properties: { a: { type: "string" } } }, {})).toThrow(
      "no example",
    );
  });
});

describe("the guide", () => {
  const markdown = readFileSync(new URL("../../../../../docs/sending.md", import.meta.url), "utf8");
  const page = toGuidePage(markdown, "https://profiles.example.com");

  it("shows how to send profiles, to the public address", () => {
    expect(page).toContain("<h1>Sending profiles</h1>");
    expect(page).toContain("https://profiles.example.com/api/v1/ingest/profiles?service=checkout");
    expect(page).not.toContain("localhost:4040");
  });

  it("contains no marks of Markdown, scripts or styles", () => {
    expect(page.replace(/<pre>[\s\S]*?<\/pre>/g, "")).not.toMatch(/`|^#|^\||\]\(/m);
    expect(page).not.toMatch(/<script|\sstyle=|\son\w+=/);
    expect(guideOf("a <b>\n\n```sh\n<i>\n\n`x`\n```").body.text).toBe(
      "<p>a &#60;b&#62;</p>\n<pre><code>&#60;i&#62;\n\n`x`</code></pre>",
    );
  });

  it("links only to anchors on the page", () => {
    const anchors = [...page.matchAll(/id="([^"]+)"/g)].map((m) => m[1]);
    const links = [...page.matchAll(/href="#([^"]+)"/g)].map((m) => m[1]);
    expect(links.filter((link) => !anchors.includes(link))).toEqual([]);
    expect(links.length).toBeGreaterThan(anchors.length / 2);
    expect(anchors.length).toBeGreaterThan(3);
  });

  it("renders tables", () => {
    expect(guideOf("| a | b |\n|---|---|\n| `c` | |").body.text.replaceAll("\n", "")).toBe(
      '<table><thead><tr><th scope="col">a</th><th scope="col">b</th></tr></thead>' +
        "<tbody><tr><td><code>c</code></td><td></td></tr></tbody></table>",
    );
  });
});

describe("the API page", () => {
  const page = toPage("https://profiles.example.com", "1.2.3");

  it("lists every call with a command to try it", () => {
    for (const { path, summary } of endpoints) {
      expect(page).toContain(`<code>${path}</code>`);
      expect(page).toContain(html`${summary}`.text);
    }
    expect(page).toContain("https://profiles.example.com/api/v1/ingest/profiles?service=checkout");
  });

  it("names the roles that a call is limited to", () => {
    expect(page).toContain('<span class="access">Signed-in person: admin or member</span>');
    expect(page).toContain('<span class="access">Signed-in person: admin</span>');
    expect(page).toContain('<span class="access">Signed-in person</span>');
  });

  it("contains no script, no inline style and nothing from other hosts", () => {
    expect(page).not.toMatch(/<script|\sstyle=|\son\w+=|<style/);
    expect(
      [...page.matchAll(/(?:src|href)="([^"]+)"/g)]
        .map((m) => m[1])
        .filter((url) => /^(https?:)?\/\//.test(url ?? "")),
    ).toEqual([]);
  });

  it("links only to anchors on the page", () => {
    const anchors = new Set([...page.matchAll(/id="([^"]+)"/g)].map((m) => m[1]));
    const links = [...page.matchAll(/href="#([^"]+)"/g)].map((m) => m[1]);
    expect(links.length).toBe(endpoints.length + new Set(endpoints.map((call) => call.area)).size);
    expect(links.filter((link) => !anchors.has(link))).toEqual([]);
  });

  it("escapes values", () => {
    expect(html`<b>${'<i a="b">&\''}</b>`.text).toBe("<b>&#60;i a=&#34;b&#34;&#62;&#38;&#39;</b>");
  });
});
