import { escapeHtml, Html, html, joined, prose } from "#http/documentation/html.ts";

/*
 * The part of Markdown that our own guides are written in: headings of three levels, paragraphs, fenced code, tables,
 * code in backticks, and links to headings. Anything else appears on the page as it is written, escaped.
 */

interface Guide {
  readonly title: string;
  /** Headings of the second level, in order. */
  readonly contents: readonly { readonly anchor: string; readonly title: string }[];
  readonly body: Html;
}

export function guideOf(markdown: string): Guide {
  const blocks = blocksOf(markdown);
  const titles = blocks.flatMap((block) => (block.startsWith("## ") ? [block.slice(3)] : []));
  return {
    title: blocks.find((block) => block.startsWith("# "))?.slice(2) ?? "",
    contents: titles.map((title) => ({ title, anchor: anchorOf(title) })),
    body: joined(blocks.map(toHtml)),
  };
}

/** Parts with an empty line between them; fenced code is one part whatever is in it. */
function blocksOf(markdown: string): string[] {
  const pieces = markdown.split(/^(```\w*\n[\s\S]*?\n```)$/m);
  return pieces
    .flatMap((piece) => (piece.startsWith("```") ? [piece] : piece.split(/\n{2,}/)))
    .flatMap(trimmed);
}

function trimmed(block: string): string[] {
  const text = block.trim();
  return text === "" ? [] : [text];
}

function toHtml(block: string): Html {
  if (block.startsWith("```")) return html`<pre><code>${block.replace(/^```.*\n|\n```$/g, "")}</code></pre>`;
  if (block.startsWith("# ")) return html`<h1>${block.slice(2)}</h1>`;
  if (block.startsWith("## ")) return html`<h2 id="${anchorOf(block.slice(3))}">${block.slice(3)}</h2>`;
  if (block.startsWith("### "))
    return html`<h3 id="${anchorOf(block.slice(4))}">${prose(block.slice(4))}</h3>`;
  if (block.startsWith("|")) return tableOf(block.split("\n"));
  return html`<p>${linked(block)}</p>`;
}

function tableOf([head = "", _rule, ...rows]: readonly string[]): Html {
  const headers = cellsOf(head).map((cell) => new Html(`<th scope="col">${escapeHtml(cell)}</th>`));
  const lines = rows.map(
    (row) => html`<tr>${joined(cellsOf(row).map((cell) => html`<td>${linked(cell)}</td>`))}</tr>`,
  );
  return html`<table><thead><tr>${joined(headers)}</tr></thead><tbody>${joined(lines)}</tbody></table>`;
}

/** Prose in which `[text](#anchor)` is a link. */
function linked(text: string): Html {
  const { text: escaped } = prose(text);
  return new Html(escaped.replace(/\[([^\]]+)\]\(#([a-z0-9-]+)\)/g, '<a href="#$2">$1</a>'));
}

function cellsOf(row: string): string[] {
  return row
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => cell.trim());
}

function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}
