import { frame, html, joined } from "#http/documentation/html.ts";
import { guideOf } from "#http/documentation/markdown.ts";

/** The address of the server in the guide, replaced by the public one. */
const writtenUrl = "http://localhost:4040";

export function toGuidePage(markdown: string, publicUrl: string): string {
  const guide = guideOf(markdown.replaceAll(writtenUrl, publicUrl));
  const links = guide.contents.map(({ anchor, title }) => html`<li><a href="#${anchor}">${title}</a></li>`);
  return frame({
    title: `${guide.title} · Flamekeep`,
    contents: html`<h3>On this page</h3><ul>${joined(links)}</ul>`,
    body: guide.body,
  });
}
