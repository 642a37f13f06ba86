/** Whether `If-None-Match` names the tag, by weak comparison (RFC 9110, 13.1.2): `*` names any. */
export function isNamed(tag: string, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === "*") return true;
  const named: readonly string[] = ifNoneMatch.match(/"[^"]*"/g) ?? [];
  return named.includes(tag.replace(/^W\//, ""));
}
