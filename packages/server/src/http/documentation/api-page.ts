import { type Endpoint, organizationHeader, roles } from "@flamekeep/contract";
import { endpoints } from "@flamekeep/contract/schemas";
import { escapeHtml, type Html, html, joined, prose } from "#http/documentation/html.ts";
import {
  type Components,
  exampleOf,
  type JsonSchema,
  resolved,
  toJsonSchema,
} from "#http/documentation/json-schema.ts";
import type { Heading } from "#http/documentation/markdown.ts";
import { organizationHeaderUse } from "#http/documentation/openapi.ts";
import type { SearchEntry } from "#http/documentation/search.ts";

const access = {
  none: "Anybody",
  session: "Signed-in person",
  ingestKey: "API key",
  readKey: "API key with the scope read",
};
const bearers = {
  session: { name: "Access token", variable: "$ACCESS_TOKEN" },
  refreshToken: { name: "Refresh token", variable: "$REFRESH_TOKEN" },
};

interface ApiPage {
  readonly title: string;
  readonly body: Html;
  readonly contents: readonly Heading[];
}

export const apiAreas = [...new Set(endpoints.map((call) => call.area))];

/** Lists every call by group. Its anchors are the anchors of the calls, because links to single calls lead here. */
export function apiIndex(version: string): ApiPage {
  const groups = apiAreas.map(
    (area) => html`<h2 id="${slugOf(area)}"><a href="${areaAddress(area)}">${area}</a></h2>
<ul class="calls">${joined(callsOf(area).map(indexItem))}</ul>`,
  );
  return {
    title: "API",
    contents: apiAreas.map((area) => ({ title: area, anchor: slugOf(area) })),
    body: html`<h1>API</h1>
<p>Version ${version}. Programs send profiles with an API key in the <code>X-API-Key</code> header; users read them with the access token of their session as bearer. Machine-readable: <a href="/api/openapi.json">OpenAPI 3.1</a>.</p>
<p>JSON in snake_case, times ISO 8601 in UTC. Every answer of 400 and above is <code>{ "error": text, "code": word, "request_id": id }</code>, and its text can be shown to users unchanged.</p>
${joined(groups)}`,
  };
}

function indexItem(call: Endpoint): Html {
  return html`<li id="${anchor(call)}"><a href="${areaAddress(call.area)}#${anchor(call)}">${method(call)}<code>${call.path}</code><span>${call.summary}</span></a></li>`;
}

/** One group of calls, each with its fields, its answer and a command. */
export function apiPage(area: string, publicUrl: string): ApiPage {
  const calls = callsOf(area);
  return {
    title: area,
    contents: calls.map((call) => ({ title: call.summary, anchor: anchor(call) })),
    body: html`<p class="kicker"><a href="/docs/api">API</a></p><h1>${area}</h1>${joined(calls.map((call) => section(call, publicUrl)))}`,
  };
}

export function areaAddress(area: string): string {
  return `/docs/api/${slugOf(area)}`;
}

export function apiEntries(): SearchEntry[] {
  return endpoints.map((call) => ({
    href: `${areaAddress(call.area)}#${anchor(call)}`,
    page: `API: ${call.area}`,
    heading: call.summary,
    text: `${call.method} ${call.path} ${call.description.replaceAll("`", "")}`,
  }));
}

function method(call: Endpoint): Html {
  return html`<b class="${call.method.toLowerCase()}">${call.method}</b>`;
}

function callsOf(area: string): Endpoint[] {
  return endpoints.filter((call) => call.area === area);
}

function section(call: Endpoint, publicUrl: string): Html {
  const components: Components = {};
  const reply = call.reply.type === "undefined" ? undefined : toJsonSchema(call.reply, "output", components);
  const body = bodySchema(call, components);
  return html`<section id="${anchor(call)}">
<h2><a href="#${anchor(call)}">${call.summary}</a></h2>
<p class="call">${method(call)} <code>${call.path}</code> <span class="access">${caller(call)}</span></p>
${call.description === "" ? "" : html`<p>${prose(call.description)}</p>`}
${fields("Path", toJsonSchema(call.params, "input", components), components)}
${fields("Query", toJsonSchema(call.query, "input", components), components)}
${call.isOpenToOtherOrganizations ? header : ""}
${call.upload === undefined ? "" : html`<h3>Body</h3><p>${prose(call.upload.description)} ${call.upload.contentTypes.join(" or ")}.</p>`}
${body === undefined ? "" : sample(call.upload === undefined ? "Body" : "Form", body, components)}
${joined(call.downloads.map((d) => html`<h3>Reply as ${d.contentType}</h3><p>${prose(d.description)}</p>`))}
${reply === undefined ? "" : sample(`Reply ${call.status}`, reply, components)}
<h3>Try it</h3><pre><code>${curl(call, publicUrl, body === undefined ? undefined : exampleOf(body, components))}</code></pre>
</section>`;
}

const header = html`<h3>Header</h3><table><tbody><tr><td><code>${organizationHeader}</code></td><td>optional</td><td>${organizationHeaderUse}</td></tr></tbody></table>`;

function caller({ auth, roles: allowed, bearers: [first], isForOperator }: Endpoint): string {
  if (first !== undefined) return bearers[first].name;
  if (isForOperator) return `${access[auth]}: the operator`;
  const isLimited = auth === "session" && allowed.length < roles.length;
  return isLimited ? `${access[auth]}: ${allowed.join(" or ")}` : access[auth];
}

function bodySchema(call: Endpoint, components: Components): JsonSchema | undefined {
  if (call.upload !== undefined) {
    return call.upload.schema === undefined
      ? undefined
      : toJsonSchema(call.upload.schema, "input", components);
  }
  return call.body.type === "undefined" ? undefined : toJsonSchema(call.body, "input", components);
}

function fields(title: string, schema: JsonSchema, components: Components): Html | string {
  const names = Object.entries(schema.properties ?? {});
  if (names.length === 0) return "";
  const rows = names.map(([name, field]) => {
    const { description } = resolved(field, components);
    const needed = (schema.required ?? []).includes(name) ? "required" : whenAbsent(field);
    return html`<tr><td><code>${name}</code></td><td>${needed}</td><td>${prose(description ?? "")} ${accepted(field)}</td></tr>`;
  });
  const note = schema.description === undefined ? "" : html`<p>${prose(schema.description)}</p>`;
  return html`<h3>${title}</h3><table><tbody>${joined(rows)}</tbody></table>${note}`;
}

function whenAbsent(field: JsonSchema): string {
  return field.default === undefined ? "optional" : `default ${String(field.default)}`;
}

function accepted(field: JsonSchema): string {
  if (field.enum !== undefined) return `One of ${field.enum.join(", ")}.`;
  if (field.minimum !== undefined && field.maximum !== undefined)
    return `${field.minimum} to ${field.maximum}.`;
  return "";
}

function sample(title: string, schema: JsonSchema, components: Components): Html {
  return html`<h3>${title}</h3><pre><code>${JSON.stringify(exampleOf(schema, components), null, 2)}</code></pre>`;
}

function curl(call: Endpoint, publicUrl: string, body: unknown): string {
  const lines = [
    `curl ${call.method === "GET" ? "" : `-X ${call.method} `}'${publicUrl}${examplePath(call)}'`,
  ];
  if (call.auth === "ingestKey" || call.auth === "readKey") lines.push(`-H "X-API-Key: $FLAMEKEEP_KEY"`);
  const bearer = call.auth === "session" ? "session" : call.bearers[0];
  if (bearer !== undefined) lines.push(`-H "Authorization: Bearer ${bearers[bearer].variable}"`);
  if (body !== undefined) lines.push(`-H "Content-Type: application/json"`, `-d '${JSON.stringify(body)}'`);
  else if (call.upload !== undefined) lines.push("--data-binary @cpu.pb.gz");
  return lines.join(" \\\n  ");
}

function examplePath(call: Endpoint): string {
  const components: Components = {};
  const params = toJsonSchema(call.params, "input", components).properties ?? {};
  const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    String(exampleOf(params[name] ?? {}, components)),
  );
  const query = toJsonSchema(call.query, "input", components);
  const needed = (query.required ?? []).map((name) => {
    const value = String(exampleOf(query.properties?.[name] ?? {}, components));
    return `${name}=${encodeURIComponent(value)}`;
  });
  return needed.length === 0 ? path : `${path}?${needed.join("&")}`;
}

function slugOf(area: string): string {
  return area.toLowerCase().replaceAll(" ", "-");
}

function anchor(call: Endpoint): string {
  return escapeHtml(`${call.method}${call.path.replace(/[{}]/g, "").replaceAll("/", "-")}`.toLowerCase());
}
