import { z } from "zod";
import { type FailureCode, failureStatus } from "./failure-status.ts";

export const failureCodes = Object.keys(failureStatus) as FailureCode[];

/** The body of every reply with a status of 400 or above. */
export const ErrorReply = z
  .object({
    error: z.string().meta({ description: "What went wrong and what to do, for people." }),
    code: z.enum(failureCodes as [FailureCode, ...FailureCode[]]),
    request_id: z.string().meta({ description: "The server's log has the cause under this id." }),
  })
  .meta({
    id: "Error",
    example: { error: "Profile not found", code: "not_found", request_id: "5f0c3a1e9b7d2468" },
  });
export type ErrorReply = z.output<typeof ErrorReply>;
