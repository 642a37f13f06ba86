/** The credentials of a call: a session (or the public demo, for reading), an API key of a scope, or none. */
export type Access = "session" | "ingestKey" | "readKey" | "none";

/**
 * The header of a call that reads another organization of the person: its id. Only endpoints with `isOpenToOtherOrganizations`
 * accept it.
 */
export const organizationHeader = "X-Organization";

export type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";

export const roles = ["admin", "member", "viewer"] as const;

/** The part of a call that its clients need. Its endpoint has what it takes and replies. */
export interface Call<M extends Method = Method, P extends string = string, A extends Access = Access> {
  readonly method: M;
  /** Parameters are in braces: `/api/v1/protected/profile/{id}`. */
  readonly path: P;
  readonly auth: A;
}

// A bundler leaves out the calls that nobody imports.
// @__NO_SIDE_EFFECTS__
export function call<const M extends Method, const P extends string, const A extends Access = "session">(
  method: M,
  path: P,
  auth: A = "session" as A,
): Call<M, P, A> {
  return { method, path, auth };
}

type QueryValue = string | number | boolean;

/** The path with encoded parameters and query. A list is a parameter that is repeated. */
export function toPath(
  call: { readonly path: string },
  params: Readonly<Record<string, string>> = {},
  query: Readonly<Record<string, QueryValue | readonly QueryValue[] | undefined>> = {},
): string {
  const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`${call.path} needs the parameter ${name}`);
    return encodeURIComponent(value);
  });
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined
      ? []
      : [value].flat().map((each) => `${encodeURIComponent(name)}=${encodeURIComponent(each)}`),
  );
  return pairs.length === 0 ? path : `${path}?${pairs.join("&")}`;
}
