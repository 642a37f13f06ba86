import {
  type Access,
  connectErrors,
  type Endpoint,
  type FailureCode,
  failureStatus,
  grpcStatus,
  organizationHeader,
  roles,
  sessionEndedMessage,
} from "@flamekeep/contract";
import { endpoints } from "@flamekeep/contract/schemas";
import { type Components, exampleOf, type JsonSchema, resolved, toJsonSchema } from "./json-schema.ts";

export interface OpenApi {
  readonly openapi: "3.1.0";
  readonly servers: readonly { url: string }[];
  readonly info: object;
  readonly tags: readonly { name: string }[];
  readonly paths: Record<string, Record<string, object>>;
  readonly components: { readonly schemas: Components; readonly securitySchemes: object };
}

const securitySchemes = {
  session: { type: "http", scheme: "bearer", description: "Access token of a signed-in person." },
  refreshToken: { type: "http", scheme: "bearer", description: "Refresh token of a signed-in person." },
  apiKey: { type: "apiKey", in: "header", name: "X-API-Key" },
  apiKeyAsBearer: { type: "http", scheme: "bearer", description: "The API key as bearer." },
  apiKeyAsBasic: { type: "http", scheme: "basic", description: "The API key as password, any user name." },
};

/** The scopes of a session are the allowed roles, or `operator`: OpenAPI 3.1 permits scopes with every kind of scheme. */
function securityOf({ auth, roles, bearers, isForOperator }: Endpoint): object[] {
  const key = [{ apiKey: [] }, { apiKeyAsBearer: [] }, { apiKeyAsBasic: [] }];
  const schemes = {
    none: bearers.map((name) => ({ [name]: [] })),
    session: [{ session: isForOperator ? ["operator"] : roles }],
    ingestKey: key,
    readKey: key,
  };
  return schemes[auth];
}

/** OpenAPI 3.1, generated from the schemas that check requests and replies. @param basePath where the server is on its host */
export function toOpenApi(version: string, basePath = "", calls: readonly Endpoint[] = endpoints): OpenApi {
  const schemas: Components = {};
  const paths: OpenApi["paths"] = {};
  for (const call of calls) {
    const path = paths[call.path] ?? {};
    paths[call.path] = path;
    path[call.method.toLowerCase()] = operation(call, schemas);
  }
  return {
    openapi: "3.1.0",
    servers: [{ url: basePath === "" ? "/" : basePath }],
    info: {
      title: "Flamekeep",
      version,
      description: "Continuous profiling: send profiles with an API key, read them with a session.",
    },
    tags: [...new Set(calls.map((call) => call.area))].map((name) => ({ name })),
    paths,
    components: { schemas, securitySchemes },
  };
}

function operation(call: Endpoint, schemas: Components): object {
  const body = requestBody(call, schemas);
  return {
    tags: [call.area],
    operationId: `${call.method.toLowerCase()}${call.path.replace(/[^A-Za-z0-9]+(\w?)/g, (_, c: string) => c.toUpperCase())}`,
    summary: call.summary,
    ...(call.description === "" ? {} : { description: call.description }),
    security: securityOf(call),
    parameters: [
      ...parameters(call, "path", schemas),
      ...parameters(call, "query", schemas),
      ...(call.isOpenToOtherOrganizations ? [otherOrganization] : []),
    ],
    ...(body === undefined ? {} : { requestBody: body }),
    responses: responses(call, schemas),
  };
}

export const organizationHeaderUse =
  "The id of another organization that you are a member of. The reply is about it, with your role there, instead of the organization of the session.";

const otherOrganization = {
  name: organizationHeader,
  in: "header",
  required: false,
  description: organizationHeaderUse,
  schema: { type: "string", format: "uuid" },
};

function parameters(call: Endpoint, place: "path" | "query", schemas: Components): object[] {
  const schema = toJsonSchema(place === "path" ? call.params : call.query, "input", schemas);
  return Object.entries(schema.properties ?? {}).map(([name, { description, example, ...rest }]) => ({
    name,
    in: place,
    required: place === "path" || (schema.required ?? []).includes(name),
    ...(description === undefined ? {} : { description }),
    ...(example === undefined ? {} : { example }),
    schema: rest,
  }));
}

function requestBody(call: Endpoint, schemas: Components): object | undefined {
  if (call.upload !== undefined) {
    const { description, contentTypes, schema } = call.upload;
    const content = contentTypes.map((type) => [
      type,
      type === "application/json" && schema !== undefined
        ? withExample(toJsonSchema(schema, "input", schemas), schemas)
        : {},
    ]);
    return { required: true, description, content: Object.fromEntries(content) };
  }
  if (call.body.type === "undefined") return undefined;
  return { required: true, content: json(toJsonSchema(call.body, "input", schemas), schemas) };
}

function responses(call: Endpoint, schemas: Components): object {
  const answers: Record<string, object> = { [call.status]: success(call, schemas) };
  for (const [status, description] of Object.entries(call.sameReply)) {
    answers[status] = { ...success(call, schemas), description };
  }
  for (const [status, description] of Object.entries(call.noReply)) answers[status] = { description };
  for (const code of documentedFailures(call)) {
    answers[failureStatus[code]] ??= failure(call, code, schemas, occasions[code]);
  }
  return {
    ...answers,
    default: failure(
      call,
      "unavailable",
      schemas,
      "Any other failure, such as `internal` or `unavailable`; `code` says which.",
    ),
  };
}

function success(call: Endpoint, schemas: Components): object {
  const files = call.downloads.map(({ contentType }) => [contentType, {}] as const);
  const reply =
    call.reply.type === "undefined" ? {} : json(toJsonSchema(call.reply, "output", schemas), schemas);
  return { description: call.summary, content: { ...reply, ...Object.fromEntries(files) } };
}

function documentedFailures(call: Endpoint): Set<FailureCode> {
  const isByKey = call.auth === "ingestKey" || call.auth === "readKey";
  const isByRole = call.auth === "session" && (call.roles.length < roles.length || !call.isOpenToDemo);
  const isLimited = isByKey || isByRole;
  const codes = new Set<FailureCode>(isLimited ? ["forbidden", ...call.failures] : call.failures);
  if (call.auth !== "none" || call.bearers.length > 0) codes.add("unauthenticated");
  if (isByKey) codes.add("key_expired");
  if (call.auth === "session" && !call.isOpenWithoutSecondFactor) codes.add("second_factor_required");
  // A header that names an organization is refused by calls that do not read it.
  if (call.auth === "session") codes.add("invalid");
  if (call.isOpenToOtherOrganizations) codes.add("not_found");
  // A body is read even if the call needs none, and must be JSON.
  // A path parameter with a NUL is refused, too.
  if (call.method !== "GET" || hasFields(call) || call.path.includes("{")) codes.add("invalid");
  return codes;
}

function failure(call: Endpoint, code: FailureCode, schemas: Components, description: string): object {
  const schema = toJsonSchema(call.failureReply, "output", schemas);
  const example = failureExample(call, code, schema, schemas);
  const others = Object.fromEntries(call.failureContentTypes.map((type) => [type, {}]));
  return { description, content: { "application/json": { schema, example }, ...others } };
}

function hasFields(call: Endpoint): boolean {
  return "shape" in call.query && Object.keys(call.query.shape as object).length > 0;
}

function json(schema: JsonSchema, schemas: Components): object {
  return { "application/json": withExample(schema, schemas) };
}

function withExample(schema: JsonSchema, schemas: Components): object {
  return { schema, example: exampleOf(schema, schemas) };
}

/** When each code comes. */
const occasions: Readonly<Record<FailureCode, string>> = {
  invalid: "A parameter, a field or the body is invalid; `error` names it and the accepted values.",
  unauthenticated: "The credential is missing, wrong, revoked or expired.",
  key_expired: "The API key has expired: create a new one.",
  forbidden: "The caller is not allowed to do this: the role is too low, or it is the read-only demo.",
  second_factor_required: "The organization requires a second factor: set one up under Settings, Account.",
  quota_exceeded: "A limit of the organization is reached; `error` names it. Retrying does not help.",
  not_found: "It does not exist, or belongs to another organization.",
  method_not_allowed: "The address does not support this method; `Allow` lists the supported ones.",
  conflict: "It exists already.",
  too_large: "The body is too large, compressed or decompressed.",
  unsupported: "This call does not accept the Content-Type.",
  unprocessable: "The content cannot be processed; `error` says why.",
  rate_limited: "Too many requests: retry after `Retry-After`.",
  headers_too_large: "The headers are larger than 16 KiB.",
  internal: "Server error; the log has the cause under `request_id`.",
  damaged: "Stored data can no longer be read: retrying does not help.",
  unimplemented: "The call needs an unsupported feature; `error` names it.",
  disk_full: "The server's disk is full: nothing is stored until space is freed. Reads still work.",
  unavailable: "The server or a store is temporarily unavailable: retry, after `Retry-After` if present.",
};

const sentences: Readonly<Record<FailureCode, string>> = {
  invalid: "Query parameter 'limit' must be at most 100",
  unauthenticated: sessionEndedMessage,
  key_expired:
    "This API key expired on 2026-11-20. Create a new one under Settings and replace it in your senders.",
  forbidden: "This needs the role admin. Ask an admin of your organization.",
  second_factor_required: "Your organization requires a second factor. Set one up under Settings, Account.",
  quota_exceeded:
    "Your organization has reached its limit of 1000 projects (ORG_PROJECTS_MAX). Delete one first.",
  not_found: "Profile not found",
  method_not_allowed: "GET is not allowed here. Use POST.",
  conflict: "An account with this email address already exists. Sign in instead.",
  too_large: "The body is larger than the 16777216 bytes this call accepts. Send less.",
  unsupported: "This Content-Type is not accepted here.",
  unprocessable: "A batch of HTTP metrics has no stacks, so it has no flame graph",
  rate_limited: "Too many requests. Try again in 12 s.",
  headers_too_large: "The headers are larger than 16 KiB.",
  internal: "Something went wrong on the server. Its log has the cause, under this request id.",
  damaged: "The stored bytes of this profile are damaged.",
  unimplemented: "The Content-Encoding br is not accepted.",
  disk_full: "The disk is full: nothing is stored until space is freed.",
  unavailable: "The store is restarting or unreachable. Try again in a moment.",
};

const keyInvalid = "This API key is not valid. Check that it was copied completely and not revoked.";
const unauthenticated: Readonly<Record<Access, string>> = {
  none: "Invalid email or password",
  session: sentences.unauthenticated,
  ingestKey: keyInvalid,
  readKey: keyInvalid,
};

/** The reply of a failure as its schema has it, with the words of its code. */
function failureExample(
  call: Pick<Endpoint, "auth" | "bearers">,
  code: FailureCode,
  schema: JsonSchema,
  components: Components,
): unknown {
  const isByToken = call.auth === "none" && call.bearers.length > 0;
  const error =
    code === "unauthenticated" ? unauthenticated[isByToken ? "session" : call.auth] : sentences[code];
  const { anyOf: [first] = [], ...only } = resolved(schema, components);
  const fields = (first === undefined ? only : resolved(first, components)).properties ?? {};
  const isConnect = fields.error === undefined;
  const isRpc = fields.details !== undefined;
  return {
    ...(exampleOf(schema, components) as object),
    ...(!isConnect && { error }),
    code: isConnect ? (isRpc ? grpcStatus[connectErrors[code].code] : connectErrors[code].code) : code,
    ...(fields.message !== undefined && { message: error }),
  };
}
