/**
 * The address of a request as the router knows it. SDKs append their path to a server address that people often copy with a
 * slash at its end: with doubled or trailing slashes, a sending address is still the same call. Other addresses are not changed.
 *
 * @param sendingPaths paths without doubled or trailing slashes
 */
export function sendingAddress(address: string, sendingPaths: ReadonlySet<string>): string {
  const query = address.indexOf("?");
  const path = query < 0 ? address : address.slice(0, query);
  if (!path.includes("//") && !path.endsWith("/")) return address;
  const plain = path.replace(/\/+/g, "/").replace(/\/$/, "");
  return sendingPaths.has(plain) ? plain + address.slice(path.length) : address;
}
