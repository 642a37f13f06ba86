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
