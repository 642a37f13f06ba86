import { type Html, html } from "#http/documentation/html.ts";

interface FrameParts {
  readonly title: string;
  /** The page's own contents, beside the links that every page has. */
  readonly contents: Html;
  readonly body: Html;
}

/** What every page of the documentation has around it: no script, nothing from elsewhere. */
export function frame({ title, contents, body }: FrameParts): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" type="image/svg+xml" href="/favicon.svg">
<link rel="stylesheet" href="/docs/api.css">
</head>
<body>
<nav aria-label="Contents"><a class="brand" href="/">Flamekeep</a>
<ul class="pages"><li><a href="/docs">Sending profiles</a></li><li><a href="/docs/api">API</a></li></ul>
${contents}
</nav>
<main>
${body}
</main>
</body>
</html>`;
  return page.text;
}
