import { limits } from "@flamekeep/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";

const api = "/api/v1/protected";
let server: TestApp;
let ada: Person;
let eve: Person;

beforeAll(async () => {
  server = await startApp();
  ada = await server.signUp();
  eve = await server.signUp();
});
afterAll(() => server.close());

async function call(method: "GET" | "PUT" | "DELETE", path: string, payload?: object, as = ada) {
  const body = payload === undefined ? {} : { payload };
  const reply = await server.app.inject({ method, url: `${api}${path}`, headers: as.headers, ...body });
  return { status: reply.statusCode, body: reply.json() };
}

const pattern = "https://github.com/acme/shop/blob/v{version}/{file}#L{line}";
const link = { url_pattern: pattern, path_prefix: "/app/" };

describe("the source link of a service", () => {
  it("is set, changed and removed by an admin, for one organization", async () => {
    expect((await call("PUT", "/services/checkout/source-link", { url_pattern: pattern })).body).toEqual({
      service: "checkout",
      url_pattern: pattern,
      path_prefix: "",
    });
    await call("PUT", "/services/checkout/source-link", link);
    const expected = { source_links: [{ service: "checkout", ...link }] };
    expect((await call("GET", "/source-links")).body).toEqual(expected);
    expect((await call("GET", "/source-links", undefined, eve)).body).toEqual({ source_links: [] });
    await call("DELETE", "/services/checkout/source-link", undefined, eve);
    expect((await call("GET", "/source-links")).body).toEqual(expected);
    await server.setRole(eve, "member");
    expect((await call("PUT", "/services/checkout/source-link", link, eve)).status).toBe(403);
    expect((await call("DELETE", "/services/checkout/source-link")).status).toBe(200);
    expect((await call("GET", "/source-links")).body).toEqual({ source_links: [] });
  });

  it("is refused for more services than an organization may have links for", async () => {
    const now = server.ctx.now().toISOString();
    const service = (index: number) => `service-${index}`;
    const values = { orgId: ada.orgId, urlPattern: pattern, pathPrefix: "", updatedAt: now };
    const links = Array.from({ length: limits.sourceLinksMax }, (_, at) => ({
      ...values,
      service: service(at),
    }));
    await server.ctx.rows.insertInto("sourceLinks").values(links).execute();
    const refused = await call("PUT", "/services/checkout/source-link", link);
    expect([refused.status, refused.body.error]).toEqual([
      422,
      "Your organization has reached its limit of 1000 source links. Remove one of another service first.",
    ]);
    expect((await call("PUT", `/services/${service(0)}/source-link`, link)).status).toBe(200);
    await server.ctx.rows.deleteFrom("sourceLinks").where("orgId", "=", ada.orgId).execute();
  });

  it.each([
    "http://github.com/{file}",
    "javascript:alert(1)//{file}",
    "https://{file}",
    "https://github.com/",
  ])("cannot be %s", async (urlPattern) => {
    const { status, body } = await call("PUT", "/services/checkout/source-link", {
      url_pattern: urlPattern,
    });
    expect([status, body.error]).toEqual([400, expect.stringContaining("attern")]);
    expect((await call("GET", "/source-links")).body).toEqual({ source_links: [] });
  });
});
