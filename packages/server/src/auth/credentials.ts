import type { IncomingHttpHeaders } from "node:http";

/** Longer than any credential that Flamekeep issues; longer headers are ignored. */
const credentialLengthMax = 4096;

/** The token of `Authorization: Bearer`, undefined when there is none. */
export function bearerOf(headers: IncomingHttpHeaders): string | undefined {
  return authorization(headers, "bearer");
}

/** The API key from X-API-Key, from a bearer token or from the password of Basic authentication: senders differ in the headers they can set. */
export function apiKeyOf(headers: IncomingHttpHeaders): string | undefined {
  const header = headers["x-api-key"];
  if (typeof header === "string" && header !== "")
    return header.length > credentialLengthMax ? undefined : header.trim();
  const bearer = bearerOf(headers);
  if (bearer !== undefined) return bearer;
  const basic = authorization(headers, "basic");
  if (basic === undefined) return undefined;
  const text = Buffer.from(basic, "base64").toString("utf8");
  const colon = text.indexOf(":");
  return colon < 0 ? undefined : text.slice(colon + 1);
}

function authorization(headers: IncomingHttpHeaders, scheme: string): string | undefined {
  const header = headers.authorization;
  if (header === undefined || header.length > credentialLengthMax) return undefined;
  const space = header.indexOf(" ");
  if (space < 0 || header.slice(0, space).toLowerCase() !== scheme) return undefined;
  const value = header.slice(space + 1).trim();
  return value === "" ? undefined : value;
}
