export interface SendInput {
  readonly origin: string;
  readonly key: string;
  /** In the form that Datadog's agent for Java takes. */
  readonly datadogKey: string;
  readonly service: string;
}

export type BlockLanguage = "sh" | "go" | "js" | "python" | "rust" | "ruby" | "php" | "yaml";

/** @param at counts the fenced blocks of this language */
export function blockOf(page: string, language: BlockLanguage, at = 0): string {
  const fences = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)\\n\`\`\`$`, "gm");
  const code = [...page.matchAll(fences)][at]?.[1];
  if (code === undefined) throw new Error(`The guide has no block ${at} of ${language}`);
  return code;
}

/** The code of the guide with server, key and service filled in. */
export function filled(code: string, { origin, key, datadogKey, service }: SendInput): string {
  const keyLiteral = JSON.stringify(key);
  const text = code
    .replaceAll("http://localhost:4040", () => origin)
    .replaceAll("fk_...", () => key)
    .replaceAll("fk_datadog", () => datadogKey)
    .replace(
      /os\.Getenv\("FLAMEKEEP_KEY"\)|os\.environ\["FLAMEKEEP_KEY"\]|process\.env\.FLAMEKEEP_KEY|ENV\.fetch\("FLAMEKEEP_KEY"\)|getenv\("FLAMEKEEP_KEY"\)/,
      () => keyLiteral,
    )
    .replace(/std::env::var\("FLAMEKEEP_KEY"\)\?/, () => `${keyLiteral}.to_string()`)
    .replaceAll('"checkout"', () => JSON.stringify(service))
    .replaceAll("service=checkout", () => `service=${encoded(service)}`)
    .replaceAll(/(APPLICATION_NAME|DD_SERVICE)=checkout/g, (_, name) => `${name}=${shellWord(service)}`);
  // Where a block sets the variable, the variable stays: to the key, or from a Secret of Kubernetes.
  if (/export FLAMEKEEP_KEY=|secretKeyRef/.test(text)) return text;
  return text.replaceAll(/\$FLAMEKEEP_KEY|\$\{env:FLAMEKEEP_KEY\}/g, () => key);
}

/** Safe in a URL between double quotes in a shell. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
}

function shellWord(text: string): string {
  return /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
