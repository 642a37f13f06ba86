import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { endpoints } from "@flamekeep/contract/schemas";
import { areaAddress } from "#http/documentation/api-page.ts";
import { escapeHtml, type Html, html, joined } from "#http/documentation/html.ts";
import type { Heading } from "#http/documentation/markdown.ts";
import { guideAddress, guideGroups } from "#http/documentation/pages.ts";

interface FrameParts {
  readonly title: string;
  /** Address of the page, which the navigation highlights. */
  readonly address: string;
  readonly body: Html;
  /** Headings to list next to the page. */
  readonly contents: readonly Heading[];
}

interface Link {
  readonly href: string;
  readonly title: string;
}

const builtTemplate = fileURLToPath(new URL("../../../../web/dist/docs.html", import.meta.url));

/** For a server without the built web app: the pages without their looks. */
const plainTemplate = `<!doctype html><html lang="en"><meta charset="utf-8"><title>{{title}}</title>
<nav>{{navigation}}</nav><main>{{body}}{{contents}}{{turn}}</main></html>`;

const apiGroup = {
  title: "API",
  links: [
    { href: "/docs/api", title: "All calls" },
    ...[...new Set(endpoints.map((call) => call.area))].map((area) => ({
      href: areaAddress(area),
      title: area,
    })),
  ],
};
const groups: readonly { readonly title: string; readonly links: readonly Link[] }[] = [
  ...guideGroups.map(({ title, pages }) => ({
    title,
    links: pages.map((page) => ({ href: guideAddress(page), title: page.title })),
  })),
  apiGroup,
];
const order = groups.flatMap(({ links }) => links);

/** Reads the frame of a page, which the build of the web app makes with the looks of the app. */
export function readTemplate(path: string = builtTemplate): string {
  return existsSync(path) ? readFileSync(path, "utf8") : plainTemplate;
}

/** A whole page of the documentation. */
export function framed(template: string, { title, address, body, contents }: FrameParts): string {
  const parts: Readonly<Record<string, string>> = {
    title: escapeHtml(`${title} · Flamekeep`),
    navigation: navigation(address).text,
    body: body.text,
    contents: contentsOf(contents).text,
    turn: turn(address).text,
  };
  return template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => parts[name] ?? "");
}

function navigation(address: string): Html {
  return joined(
    groups.map(({ title, links }) => {
      const items = links.map((link) => html`<li>${navigationLink(link, address)}</li>`);
      return html`<h2>${title}</h2><ul>${joined(items)}</ul>`;
    }),
  );
}

function navigationLink({ href, title }: Link, address: string): Html {
  if (href === address) return html`<a href="${href}" aria-current="page">${title}</a>`;
  return html`<a href="${href}">${title}</a>`;
}

function contentsOf(headings: readonly Heading[]): Html {
  if (headings.length < 2) return html``;
  const items = headings.map(({ anchor, title }) => html`<li><a href="#${anchor}">${title}</a></li>`);
  return html`<h2>On this page</h2><ul>${joined(items)}</ul>`;
}

/** Links to the page before and the next one. */
function turn(address: string): Html {
  const at = order.findIndex(({ href }) => href === address);
  if (at === -1) return html``;
  const link = (target: Link | undefined, label: string) =>
    target === undefined
      ? html`<span></span>`
      : html`<a href="${target.href}"><span>${label}</span>${target.title}</a>`;
  return html`${link(order[at - 1], "Previous")}${link(order[at + 1], "Next")}`;
}
