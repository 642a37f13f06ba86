/** A route of a service; an empty method is any. */
export interface HttpRoute {
  readonly method: string;
  readonly path: string;
}

/** The route of `GET /orders/{id}`, as alerts and rules name it, or of a path alone. Methods are stored in capitals: `unknown route` is a path. */
export function httpRouteOf(text: string): HttpRoute {
  const [, method = "", path = text] =
    /^([^\s/]{1,20}) (\/.*)$/su.exec(text) ?? /^([^\s/\p{Ll}]{1,20}) (.+)$/su.exec(text) ?? [];
  return { method, path };
}

/** The opposite of `httpRouteOf`. */
export function httpRouteText({ method, path }: HttpRoute): string {
  return method === "" ? path : `${method} ${path}`;
}
