/**
 * The server below a path of its host, which PUBLIC_URL names: `/flamekeep`, or empty at the root. Pages are built and routes are
 * registered without it.
 */

/** The address of a request without the base path. Some proxies remove it, and programs inside a network never sent it. */
export function withoutBasePath(url: string, basePath: string): string {
  if (!url.startsWith(basePath)) return url;
  const rest = url.slice(basePath.length);
  if (rest === "" || rest.startsWith("?")) return `/${rest}`;
  return rest.startsWith("/") ? rest : url;
}

/** A page whose own addresses, which begin with `/` or `./`, lie below the base path. Scripts of the page read it from `data-base`. */
export function pageBelow(page: string, basePath: string): string {
  return page
    .replace(/ (href|src|action)="\.?\/(?!\/)/g, (_, name: string) => ` ${name}="${basePath}/`)
    .replace(' data-base=""', () => ` data-base="${basePath}"`);
}
