import { z } from "zod";
import { roles } from "#base/call.ts";
import { endpointIn } from "#base/endpoint.ts";
import { Instant } from "#base/moments.ts";
import { Count } from "#base/values.ts";
import * as calls from "./calls.ts";

const SessionId = z.uuid().meta({ example: "d5c0a7e4-1f0b-4c55-9a57-3d0b7be0a1c9" });

export const AccountSession = z
  .object({
    id: SessionId,
    device: z.string().meta({
      description: "Browser and system at the last use.",
      example: "Firefox on Linux",
    }),
    device_kind: z.enum(["computer", "phone", "program", "unknown"]).meta({
      description: "`phone` includes tablets; a `program` is no browser.",
      example: "computer",
    }),
    address: z.string().nullable().meta({
      description: "Network address of the last use; null for older sessions.",
      example: "203.0.113.7",
    }),
    place: z.enum(["this machine", "local network", "internet", "unknown"]).meta({
      description: "Where the address is.",
      example: "internet",
    }),
    created_at: Instant,
    last_used_at: Instant.meta({ description: "Exact to a quarter of an hour." }),
    is_current: z.boolean().meta({ description: "Whether it is the session of this call.", example: true }),
  })
  .meta({ id: "Session" });
export type AccountSession = z.output<typeof AccountSession>;

const endpoint = endpointIn("Accounts");

export const sessionEndpoints = [
  endpoint(calls.listSessions, {
    summary: "Your sessions, the most recently used first",
    isOpenWithoutSecondFactor: true,
    reply: z.object({ sessions: z.array(AccountSession) }),
  }),
  endpoint(calls.endSession, {
    summary: "End one of your sessions",
    description: "Its tokens stop working immediately.",
    isOpenWithoutSecondFactor: true,
    roles,
    params: z.object({ id: z.string().meta(SessionId.meta() ?? {}) }),
    reply: z.object({ ended: Count.meta({ example: 1 }) }),
    failures: ["not_found"],
  }),
  endpoint(calls.endSessions, {
    summary: "Sign out everywhere",
    description: "Ends all of your sessions, including this one.",
    isOpenWithoutSecondFactor: true,
    roles,
    reply: z.object({ ended: Count.meta({ example: 3 }) }),
  }),
] as const;
