import { posix } from "node:path";
import { escapeHtml, Html, html, joined, prose } from "#http/documentation/html.ts";
import { guideAddress, guidePages } from "#http/documentation/pages.ts";

/*
 * The part of Markdown that our own guides are written in: headings of three levels, paragraphs, lists, notes, fenced code,
 * tables, pictures of flame graphs, code in backticks, bold text and links. Anything else appears on the page as it is
 * written, escaped.
 */

export interface Heading {
  readonly anchor: string;
  readonly title: string;
}

interface Guide {
  readonly title: string;
  /** Headings of the second level, in order. */
  readonly contents: readonly Heading[];
  readonly body: Html;
  readonly sections: readonly Section[];
}

/** Text under a heading, for the search. */
interface Section {
  /** Undefined before the first heading below the title. */
  readonly heading: Heading | undefined;
  readonly text: string;
}

/** @param file of the Markdown, relative to the project's folder: its links are relative to it */
export function guideOf(markdown: string, file: string): Guide {
  const blocks = blocksOf(markdown);
  return {
    title: blocks.find((block) => block.startsWith("# "))?.slice(2) ?? "",
    contents: blocks.flatMap((block) => (block.startsWith("## ") ? [headingOf(block)] : [])),
    body: joined(blocks.map((block) => toHtml(block, file))),
    sections: sectionsOf(blocks),
  };
}

/** Parts with an empty line between them; fenced code is one part whatever is in it. */
function blocksOf(markdown: string): string[] {
  const pieces = markdown.split(/^(```\w*\n[\s\S]*?\n```)$/m);
  return pieces
    .flatMap((piece) => (piece.startsWith("```") ? [piece] : piece.split(/\n{2,}/)))
    .flatMap((block) => (block.trim() === "" ? [] : [block.trim()]));
}

function toHtml(block: string, file: string): Html {
  if (block.startsWith("```")) return codeOf(block);
  if (block.startsWith("# ")) return html`<h1>${prose(block.slice(2))}</h1>`;
  if (block.startsWith("## ")) return headingHtml("h2", block);
  if (block.startsWith("### ")) return headingHtml("h3", block);
  if (block.startsWith("|")) return tableOf(block.split("\n"), file);
  if (block.startsWith("![")) return pictureOf(block, file);
  if (block.startsWith("> "))
    return html`<aside class="note"><p>${linked(block.replace(/^> ?/gm, ""), file)}</p></aside>`;
  if (block.startsWith("- ")) return html`<ul>${itemsOf(block, /^- /m, file)}</ul>`;
  const number = /^(\d+)\. /.exec(block)?.[1];
  if (number === undefined) return html`<p>${linked(block, file)}</p>`;
  return html`<ol start="${number}">${itemsOf(block, /^\d+\. /m, file)}</ol>`;
}

function codeOf(block: string): Html {
  return html`<pre><code>${block.replace(/^```.*\n|\n```$/g, "")}</code></pre>`;
}

function headingHtml(tag: "h2" | "h3", block: string): Html {
  const { anchor } = headingOf(block);
  const title = prose(block.replace(/^#+ /, ""));
  return new Html(`<${tag} id="${anchor}"><a href="#${anchor}">${title.text}</a></${tag}>`);
}

/** An item's lines go on until the next one's mark. */
function itemsOf(block: string, mark: RegExp, file: string): Html {
  const items = block.split(mark).slice(1);
  return joined(items.map((item) => html`<li>${linked(item.trim(), file)}</li>`));
}

function tableOf([head = "", _rule, ...rows]: readonly string[], file: string): Html {
  const headers = cellsOf(head).map((cell) => new Html(`<th scope="col">${escapeHtml(cell)}</th>`));
  const lines = rows.map(
    (row) => html`<tr>${joined(cellsOf(row).map((cell) => html`<td>${linked(cell, file)}</td>`))}</tr>`,
  );
  return html`<table><thead><tr>${joined(headers)}</tr></thead><tbody>${joined(lines)}</tbody></table>`;
}

/** A flame graph that exists for both themes, as `name-light.svg` and `name-dark.svg`. */
function pictureOf(block: string, file: string): Html {
  const [, text = "", target = ""] = /^!\[([^\]]*)\]\(([^)]+)\)$/.exec(block) ?? [];
  const name = /^docs\/images\/flame\/([a-z-]+)-light\.svg$/.exec(resolvedPath(target, file))?.[1];
  if (name === undefined) throw new Error(`${file}: ${target} is not a picture of the guide`);
  const image = (theme: "light" | "dark") =>
    html`<img class="${theme}-only" src="/docs/pictures/${name}-${theme}.svg" alt="${text}" loading="lazy">`;
  // A box that scrolls must be reachable by keyboard.
  return html`<figure><div class="picture" role="group" aria-label="Picture" tabindex="0">${image("light")}${image("dark")}</div><figcaption>${text}</figcaption></figure>`;
}

/** Prose with links and bold text. */
function linked(text: string, file: string): Html {
  const { text: escaped } = prose(text);
  return new Html(
    escaped
      .replace(/\*\*([^*]+)\*\*/g, "<strong>$1</strong>")
      .replace(/(^|[\s(])\*([^*\n]+)\*(?=[\s.,;:)]|$)/g, "$1<em>$2</em>")
      .replace(/\[([^[\]]+)\]\(([^()\s]+)\)/g, (_, label: string, target: string) =>
        linkTo(target, label, file),
      ),
  );
}

/** A link inside the guide, or the label alone if the target is not part of it. */
function linkTo(target: string, label: string, file: string): string {
  const [path = "", anchor] = target.split("#");
  const fragment = anchor === undefined ? "" : `#${anchor}`;
  if (path === "") return `<a href="${fragment}">${label}</a>`;
  const resolved = resolvedPath(path, file);
  const page = guidePages.find((each) => each.file === resolved);
  return page === undefined ? label : `<a href="${guideAddress(page)}${fragment}">${label}</a>`;
}

function resolvedPath(target: string, file: string): string {
  return posix.join(posix.dirname(file), target);
}

function cellsOf(row: string): string[] {
  return row
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => cell.trim());
}

function headingOf(block: string): Heading {
  const title = block.replace(/^#+ /, "");
  return { title: title.replaceAll("`", ""), anchor: anchorOf(title) };
}

function sectionsOf(blocks: readonly string[]): Section[] {
  const sections: { heading: Heading | undefined; text: string }[] = [{ heading: undefined, text: "" }];
  for (const block of blocks) {
    if (/^##+ /.test(block)) sections.push({ heading: headingOf(block), text: "" });
    else if (!block.startsWith("# ")) sections.at(-1)!.text += ` ${plainOf(block)}`;
  }
  return sections;
}

/** Without the marks of Markdown. */
function plainOf(block: string): string {
  return block
    .replace(/^```.*$/gm, "")
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, "$1")
    .replace(/^(\|[-|]+\||[-#>]|\d+\.) ?/gm, "")
    .replace(/[`|*]+/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}
