import { z } from "zod";

/** Every code an error reply can carry, with its HTTP status. */
export const failureStatus = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  /** A limit of the organization is reached: the same request passes only after something was removed or the limit raised. */
  quota_exceeded: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  too_large: 413,
  unsupported: 415,
  unprocessable: 422,
  rate_limited: 429,
  headers_too_large: 431,
  internal: 500,
  /** What was stored cannot be read any more: asking again will not help. */
  damaged: 500,
  unimplemented: 501,
  unavailable: 503,
  /** Nothing can be stored until an operator makes room; reading goes on. */
  disk_full: 507,
} as const;

export type FailureCode = keyof typeof failureStatus;

export const failureCodes = Object.keys(failureStatus) as FailureCode[];

/** The body of every answer with a status of 400 or above. */
export const ErrorReply = z
  .object({
    error: z.string().meta({ description: "What went wrong and what to do, to be shown to a person." }),
    code: z.enum(failureCodes as [FailureCode, ...FailureCode[]]),
    request_id: z.string().meta({ description: "Stands in the server's log beside the cause." }),
  })
  .meta({
    id: "Error",
    example: { error: "Profile not found", code: "not_found", request_id: "5f0c3a1e9b7d2468" },
  });
export type ErrorReply = z.output<typeof ErrorReply>;
