import { type Endpoint, type FailureCode, failureStatus, roles } from "@flamekeep/contract";
import { endpoints } from "@flamekeep/contract/schemas";
import { failureExample, occasions } from "#http/documentation/failures.ts";
import {
  type Components,
  exampleOf,
  type JsonSchema,
  toJsonSchema,
} from "#http/documentation/json-schema.ts";

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
    parameters: [...parameters(call, "path", schemas), ...parameters(call, "query", schemas)],
    ...(body === undefined ? {} : { requestBody: body }),
    responses: responses(call, schemas),
  };
}

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
  // A body is read even if the call needs none, and must be JSON.
  // A path parameter with a NUL is refused, too.
  if (call.method !== "GET" || hasFields(call) || call.path.includes("{")) codes.add("invalid");
  return codes;
}

function failure(call: Endpoint, code: FailureCode, schemas: Components, description: string): object {
  const schema = toJsonSchema(call.failureReply, "output", schemas);
  const example = failureExample(call, code, schema, schemas);
  return { description, content: { "application/json": { schema, example } } };
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
