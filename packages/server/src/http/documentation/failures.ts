import {
  type Access,
  connectErrors,
  type Endpoint,
  type FailureCode,
  sessionEndedMessage,
} from "@flamekeep/contract";
import { type Components, exampleOf, type JsonSchema, resolved } from "#http/documentation/json-schema.ts";

/** When each code comes. */
export const occasions: Readonly<Record<FailureCode, string>> = {
  invalid: "A parameter, a field or the body cannot be used; `error` names it and what is accepted.",
  unauthenticated: "What proves who calls is missing, wrong, revoked or expired.",
  key_expired: "The API key is past the expiry that it was created with: make a new one.",
  forbidden: "The caller is known and may not do this: the role is too low, or it is the read-only demo.",
  second_factor_required:
    "The organization requires a second factor that the account does not have: set one up under Settings, Account.",
  quota_exceeded: "A limit of the organization is reached; `error` names it. Sending again does not help.",
  not_found: "It does not exist, or belongs to another organization.",
  method_not_allowed: "The address exists, but not with this method; `Allow` names those it has.",
  conflict: "It exists already.",
  too_large: "The body, or what it inflates to, is larger than this server takes.",
  unsupported: "The Content-Type is not one this call takes.",
  unprocessable: "It was read, and cannot be used for this; `error` says why.",
  rate_limited: "Too much at once: wait as long as `Retry-After` says.",
  headers_too_large: "The headers are larger than 16 KiB.",
  internal: "A fault of the server; its log has the cause, under `request_id`.",
  damaged: "What was stored cannot be read any more: asking again will not help.",
  unimplemented: "The call needs something that this server does not offer; `error` names it.",
  disk_full: "The disk of the server is full: nothing is stored until there is room. Reading goes on.",
  unavailable: "The server or a store is away for a moment: try again, after `Retry-After` if it is given.",
};

const sentences: Readonly<Record<FailureCode, string>> = {
  invalid: "Query parameter 'limit' must be at most 100",
  unauthenticated: sessionEndedMessage,
  key_expired:
    "This API key expired on 2026-11-20. Make a new one under Settings and replace it where it is used.",
  forbidden: "You need the role admin for this. Ask an admin of your organization.",
  second_factor_required: "Your organization requires a second factor. Set one up under Settings, Account.",
  quota_exceeded:
    "Your organization has 1000 projects, the most this server allows (ORG_PROJECTS_MAX). Delete one first.",
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
  disk_full: "The disk is full: the server stores nothing until there is room on it.",
  unavailable: "The store is restarting or unreachable. Try again in a moment.",
};

const keyInvalid = "This API key is not valid. Check that all of it was copied and that it was not revoked.";
const unauthenticated: Readonly<Record<Access, string>> = {
  none: "Invalid email or password",
  session: sentences.unauthenticated,
  ingestKey: keyInvalid,
  readKey: keyInvalid,
};

/** The reply of a failure as its schema has it, with the words of its code. */
export function failureExample(
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
  return {
    ...(exampleOf(schema, components) as object),
    ...(!isConnect && { error }),
    code: isConnect ? connectErrors[code].code : code,
    ...(fields.message !== undefined && { message: error }),
  };
}
