import { z } from "zod";
import { ErrorReply } from "./failure-codes.ts";
import type { FailureCode } from "./failure-status.ts";

/** The credentials of a call: a session (or the public demo, for reading), an API key of a scope, or none. */
export type Access = "session" | "ingestKey" | "readKey" | "none";

/** A token in `Authorization: Bearer`: the access token of a session, or its refresh token. */
export type Bearer = "session" | "refreshToken";

export const roles = ["admin", "member", "viewer"] as const;
export const Role = z.enum(roles).meta({ example: "admin" });
/** The role of a person in an organization. Viewers only read. */
export type Role = z.output<typeof Role>;

/** Parts of the documentation, in its order. */
export const areas = [
  "Ingestion",
  "Accounts",
  "Organizations",
  "Sharing",
  "API keys",
  "Profiles",
  "Charts",
  "Timelines",
  "Summaries",
  "HTTP metrics",
  "Alerts",
  "Analysis",
  "Agents",
  "Projects",
  "Retention",
  "Operation",
] as const;
export type Area = (typeof areas)[number];

export type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";

/** A body that is not JSON: the operation receives it as bytes and ignores its Content-Type. */
export interface Upload {
  readonly description: string;
  readonly contentTypes: readonly string[];
  /** The schema of the bytes if they are JSON. */
  readonly schema?: z.ZodType;
}

/** A reply that is not JSON, or an alternative to it that `Accept` selects. */
export interface Download {
  readonly description: string;
  readonly contentType: string;
}

export interface Endpoint<
  A extends Access = Access,
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
  D extends boolean = boolean,
> {
  readonly method: Method;
  /** Parameters are in braces: `/api/v1/protected/profile/{id}`. */
  readonly path: string;
  readonly area: Area;
  /** Place among the definitions: the documentation lists an area in the order of its source. */
  readonly position: number;
  readonly summary: string;
  readonly description: string;
  readonly auth: A;
  /** If `auth` is session: the roles that may call. All for GET, admin and member for the other methods. */
  readonly roles: readonly Role[];
  /** If `auth` is none: the tokens that the call itself reads, the most common one first. */
  readonly bearers: readonly Bearer[];
  readonly params: P;
  readonly query: Q;
  /** `z.undefined()` if there is none, or if `upload` describes it. */
  readonly body: B;
  readonly reply: R;
  readonly status: number;
  /** Other statuses with the same body, and when they occur. */
  readonly sameReply: Readonly<Record<number, string>>;
  /** Statuses without a body, and when they occur. */
  readonly noReply: Readonly<Record<number, string>>;
  readonly upload: Upload | undefined;
  readonly downloads: readonly Download[];
  /** The body of failures. */
  readonly failureReply: z.ZodType;
  /** Failures in addition to the failures of every call (400, 401, 403 for a role, 500, 503). */
  readonly failures: readonly FailureCode[];
  /** Whether visitors of the demo may make this call. By default those that viewers make with GET. */
  readonly isOpenToDemo: D;
  /** Whether only the operator of the server may make this call. */
  readonly isForOperator: boolean;
  /** Whether people without the second factor that their organization requires may make this call. */
  readonly isOpenWithoutSecondFactor: boolean;
}

interface Definition<A, P, Q, B, R, M, D> {
  method: M;
  path: string;
  area: Area;
  summary: string;
  description?: string;
  auth: A;
  roles?: readonly Role[];
  bearers?: readonly Bearer[];
  params?: P;
  query?: Q;
  body?: B;
  reply: R;
  status?: number;
  sameReply?: Readonly<Record<number, string>>;
  noReply?: Readonly<Record<number, string>>;
  upload?: Upload;
  downloads?: readonly Download[];
  failures?: readonly FailureCode[];
  failureReply?: z.ZodType;
  isOpenToDemo?: D;
  isForOperator?: boolean;
  isOpenWithoutSecondFactor?: boolean;
}

let definitionCount = 0;
const NoFields = z.object({});
const NoBody = z.undefined();

/** One HTTP call: the server checks it, the browser makes it and the documentation prints it. */
export function endpoint<
  const A extends Access,
  R extends z.ZodType,
  P extends z.ZodType = typeof NoFields,
  Q extends z.ZodType = typeof NoFields,
  B extends z.ZodType = typeof NoBody,
  const M extends Method = Method,
  const D extends boolean = M extends "GET" ? boolean : false,
>(definition: Definition<A, P, Q, B, R, M, D>): Endpoint<A, P, Q, B, R, D> {
  const { method, path, area, summary, auth, reply } = definition;
  const callers = definition.roles ?? defaultRoles(auth, method);
  return {
    method,
    path,
    area,
    position: definitionCount++,
    summary,
    auth,
    reply,
    roles: callers,
    description: definition.description ?? "",
    bearers: definition.bearers ?? [],
    params: definition.params ?? (NoFields as unknown as P),
    query: definition.query ?? (NoFields as unknown as Q),
    body: definition.body ?? (NoBody as unknown as B),
    status: definition.status ?? 200,
    sameReply: definition.sameReply ?? {},
    noReply: definition.noReply ?? {},
    upload: definition.upload,
    downloads: definition.downloads ?? [],
    failures: definition.failures ?? [],
    failureReply: definition.failureReply ?? ErrorReply,
    isForOperator: definition.isForOperator ?? false,
    isOpenWithoutSecondFactor: definition.isOpenWithoutSecondFactor ?? false,
    isOpenToDemo: definition.isOpenToDemo ?? ((method === "GET" && callers.includes("viewer")) as D),
  };
}

function defaultRoles(auth: Access, method: Method): readonly Role[] {
  if (auth !== "session") return [];
  return method === "GET" ? roles : ["admin", "member"];
}

/** The request of `E` before parsing. */
export interface RequestOf<E extends Endpoint> {
  params: z.input<E["params"]>;
  query: z.input<E["query"]>;
  body: z.input<E["body"]>;
}

/** The input of an operation of `E`: the checked fields of path, query and body, whose names differ. */
export type InputOf<E extends Endpoint> = object &
  Fields<z.output<E["params"]>> &
  Fields<z.output<E["query"]>> &
  Fields<z.output<E["body"]>>;

/** Nothing for a part without fields, whose type would make every other field `never`. */
type Fields<T> = T extends Record<string, never> ? unknown : T extends object ? T : unknown;

/** The reply of `E`. */
export type ReplyOf<E extends Endpoint> = z.output<E["reply"]>;

/** The path with encoded parameters and query. */
export function toPath(
  call: { readonly path: string },
  params: Readonly<Record<string, string>> = {},
  query: Readonly<Record<string, string | number | boolean | undefined>> = {},
): string {
  const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`${call.path} needs the parameter ${name}`);
    return encodeURIComponent(value);
  });
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(value)}`],
  );
  return pairs.length === 0 ? path : `${path}?${pairs.join("&")}`;
}
