import { fromBase } from "#url/base-path.ts";

/** The page that was at /docs before there were several: links to its headings are in messages and bookmarks. */
const formerPage = "/docs/sending";

/** Opens the page that a heading has moved to. */
export function followOldLink(): void {
  const { pathname, hash } = window.location;
  if (pathname !== fromBase("/docs") || hash === "" || document.getElementById(hash.slice(1)) !== null)
    return;
  window.location.replace(fromBase(formerPage) + hash);
}
