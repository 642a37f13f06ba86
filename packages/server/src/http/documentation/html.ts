/** HTML; plain text is escaped when a template includes it. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export function html(parts: TemplateStringsArray, ...values: readonly (Html | string | number)[]): Html {
  const text = parts.reduce((whole, part, i) => {
    const value = values[i - 1] ?? "";
    return whole + (value instanceof Html ? value.text : escapeHtml(String(value))) + part;
  });
  return new Html(text);
}

export function joined(pieces: readonly Html[]): Html {
  return new Html(pieces.map((piece) => piece.text).join("\n"));
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}

/** A sentence of the contract, with text in backticks as code. */
export function prose(text: string): Html {
  return new Html(escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>"));
}

interface FrameParts {
  readonly title: string;
  /** The contents of the page, listed under the links that every page has. */
  readonly contents: Html;
  readonly body: Html;
}

/** A page of the documentation: without scripts, and with nothing from other hosts. */
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
