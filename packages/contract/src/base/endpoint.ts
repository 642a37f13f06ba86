import { z } from "zod";
import { type Access, type Call, type Method, roles } from "./call.ts";
import { type FailureCode, failureStatus } from "./failure-status.ts";

/** A token in `Authorization: Bearer`: the access token of a session, or its refresh token. */
export type Bearer = "session" | "refreshToken";

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
  "Readers",
  "Projects",
  "Dashboards",
  "Retention",
  "Operation",
] as const;
export type Area = (typeof areas)[number];

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

/** A call with what it takes and replies: the server checks it and the documentation prints it. */
export interface Endpoint<
  C extends Call = Call,
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
  D extends boolean = boolean,
  A extends boolean = boolean,
> {
  readonly method: C["method"];
  readonly path: C["path"];
  readonly auth: C["auth"];
  readonly area: Area;
  readonly summary: string;
  readonly description: string;
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
  /** Content types other than JSON that failures may have, as the request did. */
  readonly failureContentTypes: readonly string[];
  /** Failures in addition to the failures of every call (400, 401, 403 for a role, 500, 503). */
  readonly failures: readonly FailureCode[];
  /** Whether visitors of the demo may make this call. By default those that viewers make with GET. */
  readonly isOpenToDemo: D;
  /** Whether a coding agent may make this call, which changes something, with a key of the scope `read_write`: through its tools only. */
  readonly isOpenToAgents: A;
  /** Whether only the operator of the server may make this call. */
  readonly isForOperator: boolean;
  /** Whether people without the second factor that their organization requires may make this call. */
  readonly isOpenWithoutSecondFactor: boolean;
  /** Whether a person may read another organization that they are a member of, which the header `X-Organization` names. */
  readonly isOpenToOtherOrganizations: boolean;
}

interface Definition<P, Q, B, R, D, A> {
  summary: string;
  description?: string;
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
  failureContentTypes?: readonly string[];
  isOpenToDemo?: D;
  isOpenToAgents?: A;
  isForOperator?: boolean;
  isOpenWithoutSecondFactor?: boolean;
  isOpenToOtherOrganizations?: boolean;
}

const NoFields = z.object({});
const NoBody = z.undefined();

/** Makes the endpoints of one part of the documentation. */
export function endpointIn(area: Area) {
  return <
    C extends Call,
    R extends z.ZodType,
    P extends z.ZodType = typeof NoFields,
    Q extends z.ZodType = typeof NoFields,
    B extends z.ZodType = typeof NoBody,
    const D extends boolean = C["method"] extends "GET" ? boolean : false,
    const A extends boolean = false,
  >(
    { method, path, auth }: C,
    definition: Definition<P, Q, B, R, D, A>,
  ): Endpoint<C, P, Q, B, R, D, A> => {
    const callers = definition.roles ?? defaultRoles(auth, method);
    return {
      method,
      path,
      auth,
      area,
      summary: definition.summary,
      reply: definition.reply,
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
      failureContentTypes: definition.failureContentTypes ?? [],
      isOpenToAgents: definition.isOpenToAgents ?? (false as A),
      isForOperator: definition.isForOperator ?? false,
      isOpenWithoutSecondFactor: definition.isOpenWithoutSecondFactor ?? false,
      isOpenToOtherOrganizations: definition.isOpenToOtherOrganizations ?? false,
      isOpenToDemo: definition.isOpenToDemo ?? ((method === "GET" && callers.includes("viewer")) as D),
    };
  };
}

function defaultRoles(auth: Access, method: Method): readonly Role[] {
  if (auth !== "session") return [];
  return method === "GET" ? roles : ["admin", "member"];
}

export const failureCodes = Object.keys(failureStatus) as FailureCode[];

/** The body of every reply with a status of 400 or above. */
export const ErrorReply = z
  .object({
    error: z.string().meta({ description: "What went wrong and what to do, as text for users." }),
    code: z.enum(failureCodes as [FailureCode, ...FailureCode[]]),
    request_id: z.string().meta({ description: "The server's log has the cause under this id." }),
    trace_id: z
      .string()
      .optional()
      .meta({ description: "The trace of the request, if the server sends traces." }),
  })
  .meta({
    id: "Error",
    example: { error: "Profile not found", code: "not_found", request_id: "5f0c3a1e9b7d2468" },
  });
export type ErrorReply = z.output<typeof ErrorReply>;
