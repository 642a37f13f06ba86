import { existsSync } from "node:fs";
import { connectErrors, failureStatus, grpcStatus } from "@flamekeep/contract";
import { endpoints } from "@flamekeep/contract/schemas";
import { describe, expect, it } from "vitest";
import { describedReplies, pointerTo } from "#testing/described-replies.ts";
import { apiAreas, apiIndex, apiPage } from "./api-page.ts";
import { framed, readTemplate } from "./frame.ts";
import { html } from "./html.ts";
import { exampleOf, type JsonSchema } from "./json-schema.ts";
import { guideOf } from "./markdown.ts";
import { toOpenApi } from "./openapi.ts";
import { guideAddress, guidePages } from "./pages.ts";
import { readEntries, renderGuidePage, toSearchPage, toUnknownPage } from "./routes.ts";
import { searchEntries } from "./search.ts";

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
    const read = openApi.paths["/api/v1/protected/user/profile"]?.get as typeof limited;
    expect(read.security).toEqual([{ session: ["admin", "member", "viewer"] }]);
    expect(Object.keys(read.responses)).not.toContain("403");
    // A person without a second factor that the organization requires.
    const ofData = openApi.paths["/api/v1/protected/profiles"]?.get as typeof limited;
    expect(Object.keys(ofData.responses)).toContain("403");
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
      ["file", false],
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
    const statusesOf = (code: string | number): readonly (number | undefined)[] => [
      codes[code],
      ...Object.entries(connectErrors).flatMap(([name, error]) =>
        error.code === code ? [error.status] : grpcStatus[error.code] === code ? [codes[name]] : [],
      ),
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
      // A call that does not read its body has no schema of it.
      if (media?.schema === undefined) continue;
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

const publicUrl = "https://profiles.example.com";
const template = readTemplate("/nowhere");
const anchorsOf = (page: string) => [...page.matchAll(/id="([^"]+)"/g)].map((match) => match[1] ?? "");
const linksOf = (page: string) => [...page.matchAll(/href="([^"]+)"/g)].map((match) => match[1] ?? "");

/** All pages of the documentation by their address. */
async function allPages(): Promise<ReadonlyMap<string, string>> {
  const pages = new Map<string, string>();
  for (const page of guidePages) {
    pages.set(guideAddress(page), (await renderGuidePage(page, template, publicUrl)).html);
  }
  pages.set("/docs/api", framed(template, { ...apiIndex("1.2.3"), address: "/docs/api" }));
  for (const area of apiAreas) {
    const address = `/docs/api/${area.toLowerCase().replaceAll(" ", "-")}`;
    pages.set(address, framed(template, { ...apiPage(area, publicUrl), address }));
  }
  return pages;
}

describe("the pages", () => {
  it("link only to pages and headings that exist, and each is in the navigation of all others", async () => {
    const pages = await allPages();
    expect(pages.size).toBeGreaterThan(25);
    let looked = 0;
    for (const [address, page] of pages) {
      for (const link of linksOf(page).filter((each) => each !== "/api/openapi.json")) {
        const [path = "", anchor] = link.split("#");
        const target = pages.get(path === "" ? address : path);
        expect([address, link, target === undefined]).toEqual([address, link, false]);
        if (anchor !== undefined)
          expect([link, anchorsOf(target ?? "")]).toEqual([link, expect.arrayContaining([anchor])]);
        looked++;
      }
      for (const other of pages.keys()) expect(linksOf(page)).toContain(other);
    }
    expect(looked).toBeGreaterThan(pages.size ** 2);
  });

  it("contain no marks of Markdown, no scripts or styles, and nothing from other hosts", async () => {
    for (const [address, page] of await allPages()) {
      const text = page.replace(/<(pre|code)>[\s\S]*?<\/\1>/g, "");
      expect([address, /`|^#|^\||\]\(|\*\*|\{\{/m.exec(text)?.[0]]).toEqual([address, undefined]);
      expect(page).not.toMatch(/<script|\sstyle=|\son\w+=|<style|(?:src|href)="(?:https?:)?\/\//);
    }
  });

  it("show only pictures that exist, in light and dark, with a description", async () => {
    let looked = 0;
    for (const page of (await allPages()).values()) {
      for (const [, name, alt] of page.matchAll(/src="\/docs\/pictures\/([^"]+)" alt="([^"]*)"/g)) {
        expect(existsSync(new URL(`../../../../../docs/images/flame/${name}`, import.meta.url))).toBe(true);
        expect(alt).not.toBe("");
        looked++;
      }
    }
    expect(looked).toBeGreaterThan(10);
  });

  it("give commands with the public address, and all settings", async () => {
    const pages = await allPages();
    expect(pages.get("/docs/sending")).toContain(`${publicUrl}/api/v1/ingest/profiles?service=checkout`);
    for (const page of pages.values()) expect(page).not.toContain("localhost:4040");
    expect(pages.get("/docs/settings")).toContain("<code>RETENTION_DAYS</code>");
  });

  it("escape what they are given", () => {
    const name = '<i a="b">&\'';
    expect(html`<b>${name}</b>`.text).toBe("<b>&#60;i a=&#34;b&#34;&#62;&#38;&#39;</b>");
    expect(toSearchPage([], name, template)).not.toContain("<i a");
    expect(toUnknownPage(`/docs/${name}`, template)).not.toContain("<i a");
  });
});

describe("Markdown", () => {
  const bodyOf = (markdown: string) => guideOf(markdown, "docs/guide/x.md").body.text.replaceAll("\n", "");

  it("is escaped, and code is left as it is", () => {
    expect(guideOf("a <b>\n\n```sh\n<i>\n\n`x`\n```", "x.md").body.text).toBe(
      "<p>a &#60;b&#62;</p>\n<pre><code>&#60;i&#62;\n\n`x`</code></pre>",
    );
  });

  it("has tables, lists, notes and bold text", () => {
    expect(bodyOf("| a | b |\n|---|---|\n| `c` | |")).toBe(
      '<table><thead><tr><th scope="col">a</th><th scope="col">b</th></tr></thead>' +
        "<tbody><tr><td><code>c</code></td><td></td></tr></tbody></table>",
    );
    expect(bodyOf("- one\n  more\n- **two**")).toBe(
      "<ul><li>one  more</li><li><strong>two</strong></li></ul>",
    );
    expect(bodyOf("3. three\n4. four")).toBe('<ol start="3"><li>three</li><li>four</li></ol>');
    expect(bodyOf("> a\n> b")).toBe('<aside class="note"><p>ab</p></aside>');
  });

  it("links to other pages of the guide, and drops links to what is no page", () => {
    expect(bodyOf("[a](../sending.md#counters)")).toBe('<p><a href="/docs/sending#counters">a</a></p>');
    expect(bodyOf("[a](../operate/settings.md)")).toBe('<p><a href="/docs/settings">a</a></p>');
    expect(bodyOf("[a](../decisions/0014-limits.md)")).toBe("<p>a</p>");
  });
});

describe("the API pages", () => {
  const pages = apiAreas.map((area) => apiPage(area, publicUrl).body.text).join("\n");

  it("list every call with a command to try it", () => {
    for (const { path, summary } of endpoints) {
      expect(pages).toContain(`<code>${path}</code>`);
      expect(pages).toContain(html`${summary}`.text);
    }
    expect(pages).toContain(`${publicUrl}/api/v1/ingest/profiles?service=checkout`);
  });

  it("name the roles that a call is limited to", () => {
    expect(pages).toContain('<span class="access">Signed-in person: admin or member</span>');
    expect(pages).toContain('<span class="access">Signed-in person: admin</span>');
    expect(pages).toContain('<span class="access">Signed-in person</span>');
  });

  it("keep the anchors of calls and groups on the page of all calls, where they were", () => {
    const index = anchorsOf(apiIndex("1").body.text);
    expect(index).toEqual(
      expect.arrayContaining(["ingestion", "post-api-v1-ingest-profiles", "get-healthz"]),
    );
    expect(index).toHaveLength(endpoints.length + apiAreas.length);
  });
});

describe("the search", () => {
  const entry = (page: string, heading: string | undefined, text: string) => ({
    href: page,
    page,
    heading,
    text,
  });
  const entries = [
    entry("Alerts", undefined, "A mutex is named once here."),
    entry("Profile types", "Mutex", "Who made others wait."),
    entry("Limits", "Reading", "Nodes of a flame graph."),
  ];

  it("finds parts that contain every word, headings first", () => {
    expect(searchEntries(entries, "mutex").map(({ page }) => page)).toEqual(["Profile types", "Alerts"]);
    expect(searchEntries(entries, "MUTEX wait").map(({ page }) => page)).toEqual(["Profile types"]);
    expect(searchEntries(entries, "mutex zebra")).toEqual([]);
    expect(searchEntries(entries, "  ")).toEqual([]);
  });

  it("shows the text around a match, in whole words", () => {
    const long = entry("A", undefined, `${"before ".repeat(40)}needle ${"after ".repeat(60)}`);
    const [found] = searchEntries([long], "needle");
    expect(found?.excerpt).toMatch(/^\.\.\. (before )+needle (after )+\.\.\.$/);
    expect(found?.excerpt.length).toBeLessThan(200);
  });

  it("knows the guide and the calls", async () => {
    const all = await readEntries(publicUrl);
    const hrefs = (query: string) => searchEntries(all, query).map(({ href }) => href);
    expect(hrefs("goroutines")[0]).toBe("/docs/profile-types#goroutines");
    expect(hrefs("RETENTION_DAYS")).toContain("/docs/settings#change-these-first");
    expect(hrefs("revoke key")).toContain("/docs/security#keys");
    expect(hrefs("/api/v1/ingest/profiles")).toContain("/docs/api/ingestion#post-api-v1-ingest-profiles");
  });
});
