/** Seconds since the epoch at which a JWT ends; undefined when it cannot be read. */
export function tokenExpiry(token: string): number | undefined {
  const [, payload] = token.split(".");
  if (payload === undefined) return undefined;
  try {
    const claims: unknown = JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/")));
    if (typeof claims !== "object" || claims === null || !("exp" in claims)) return undefined;
    return typeof claims.exp === "number" ? claims.exp : undefined;
  } catch {
    return undefined;
  }
}
