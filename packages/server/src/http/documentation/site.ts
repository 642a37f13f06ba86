import { readFile } from "node:fs/promises";
import { apiEntries } from "#http/documentation/api-page.ts";
import { framed } from "#http/documentation/frame.ts";
import { type Html, html, joined } from "#http/documentation/html.ts";
import { guideOf, sectionOf } from "#http/documentation/markdown.ts";
import { type GuidePage, guideAddress, guidePages } from "#http/documentation/pages.ts";
import { type SearchEntry, type SearchResult, searchEntries } from "#http/documentation/search.ts";

/** The address of the server in the guide, replaced by the public one. */
const writtenUrl = "http://localhost:4040";
const projectFolder = new URL("../../../../../", import.meta.url);

interface RenderedPage {
  readonly html: string;
  readonly entries: readonly SearchEntry[];
}

/** A page of the guide, with the parts that a search finds. */
export async function renderGuidePage(
  page: GuidePage,
  template: string,
  publicUrl: string,
): Promise<RenderedPage> {
  const whole = await readFile(new URL(page.file, projectFolder), "utf8");
  const markdown = page.section === undefined ? whole : sectionOf(whole, page.section);
  const { title, body, contents, sections } = guideOf(markdown.replaceAll(writtenUrl, publicUrl), page.file);
  const address = guideAddress(page);
  return {
    html: framed(template, { title, address, body, contents }),
    entries: sections.map(({ heading, text }) => ({
      href: heading === undefined ? address : `${address}#${heading.anchor}`,
      page: title,
      heading: heading?.title,
      text,
    })),
  };
}

/** All that the search knows: the guide, then the calls of the API. */
export async function readEntries(publicUrl: string): Promise<SearchEntry[]> {
  const pages = await Promise.all(guidePages.map((page) => renderGuidePage(page, "", publicUrl)));
  return [...pages.flatMap(({ entries }) => entries), ...apiEntries()];
}

/** The results as a page, for browsers without scripts and for links. */
export function toSearchPage(entries: readonly SearchEntry[], query: string, template: string): string {
  const results = searchEntries(entries, query);
  const list = html`<ul class="results">${joined(results.map(resultItem))}</ul>`;
  const nothing =
    query.trim() === ""
      ? html`<p>Write what you are looking for into the field at the top.</p>`
      : html`<p>Nothing in the documentation contains “${query}”. Try fewer or other words.</p>`;
  return framed(template, {
    title: "Search",
    address: "/docs/search",
    contents: [],
    body: html`<h1>${query.trim() === "" ? "Search" : `Results for “${query}”`}</h1>${results.length === 0 ? nothing : list}`,
  });
}

function resultItem({ href, page, heading, excerpt }: SearchResult): Html {
  return html`<li><a href="${href}"><strong>${heading ?? page}</strong><span>${page}</span></a><p>${excerpt}</p></li>`;
}

export function toUnknownPage(path: string, template: string): string {
  return framed(template, {
    title: "Page not found",
    address: path,
    contents: [],
    body: html`<h1>This page does not exist</h1>
<p>There is nothing at <code>${path}</code>. Search at the top, or begin with <a href="/docs">Start</a>.</p>`,
  });
}
