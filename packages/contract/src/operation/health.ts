import { z } from "zod";
import { endpointIn } from "#base/endpoint.ts";
import { Instant } from "#base/moments.ts";
import { Count } from "#base/values.ts";
import * as calls from "./calls.ts";

const Check = z
  .object({
    name: z.string().meta({ example: "column store" }),
    ok: z.boolean().meta({ example: true }),
    message: z
      .string()
      .optional()
      .meta({ description: "Only for callers who may see details.", example: "answers" }),
  })
  .meta({ id: "Check" });
export type Check = z.output<typeof Check>;

const Warning = z
  .object({
    name: z.string().meta({ example: "stored profiles are missing" }),
    message: z.string().meta({
      example:
        "quarantine-1 holds a column store that did not open. Its profiles are missing from all results.",
    }),
    action: z.string().optional().meta({
      description: "Remedy for the operator. Only for callers who may see details.",
      example: "Stop the server and run: npm run restore-quarantine",
    }),
  })
  .meta({ id: "Warning" });
export type Warning = z.output<typeof Warning>;

export const ServerStatus = z
  .object({
    status: z.enum(["operational", "degraded"]),
    message: z.string().meta({ example: "All systems operational" }),
    cpu_percent: z.number().meta({ description: "Of this process; 100 is one core.", example: 12.5 }),
    memory_bytes: z
      .int()
      .nonnegative()
      .meta({ description: "Resident memory of this process.", example: 214_958_080 }),
    open_alerts: z.int().nonnegative().meta({ example: 1 }),
    is_loading: z.boolean().meta({
      description:
        "Whether the data of the demo is still being loaded or its alerts are not evaluated yet, so that the health of services is not known. false for other organizations.",
      example: false,
    }),
    checks: z.array(Check),
    warnings: z.array(Warning).meta({
      description:
        "Problems that need the operator while the server works. Only the operator sees file names, addresses and remedies.",
    }),
    notices: z.array(Warning).meta({
      description: "Tasks of the operator, such as forwarding email. Empty for everyone else.",
      example: [],
    }),
    started_at: Instant,
    version: z.string().meta({ example: "0.1.0" }),
  })
  .meta({ id: "ServerStatus" });
export type ServerStatus = z.output<typeof ServerStatus>;

const endpoint = endpointIn("Operation");

export const healthEndpoints = [
  endpoint(calls.healthz, {
    summary: "The process is alive",
    reply: z.object({ status: z.literal("ok") }),
  }),
  endpoint(calls.readyz, {
    summary: "The server accepts work",
    description:
      "503 with the same body otherwise. While only ClickHouse is unreachable, a server with ACKNOWLEDGE=log is ready as long as uploads can wait in its log. Answers within two seconds. Messages and warnings require access to /metrics: from this machine, or with METRICS_TOKEN.",
    sameReply: { 503: "It does not accept work, or is stopping" },
    reply: z.object({
      status: z.enum(["ready", "not_ready"]),
      health: z
        .enum(["operational", "degraded"])
        .optional()
        .meta({ description: "As `status` of /api/v1/status. Only for callers who may see details." }),
      checks: z.array(Check),
      warnings: z
        .array(Warning)
        .optional()
        .meta({ description: "Problems that need the operator while the server accepts work." }),
      notices: z.array(Warning).optional().meta({
        description: "Tasks of the operator, such as forwarding email.",
      }),
    }),
  }),
  endpoint(calls.serverStatus, {
    summary: "Health and CPU use of this server",
    reply: ServerStatus,
  }),
  endpoint(calls.publicConfig, {
    summary: "Settings of this server for the sign-in page",
    reply: z.object({
      demo: z.boolean().meta({ description: "Whether the server has a demo.", example: true }),
      mail: z.boolean().meta({
        description: "Whether the server sends email; otherwise it is written to the data folder.",
        example: true,
      }),
      sign_up: z.enum(["open", "invite"]).meta({
        description:
          "Whether registration is open or by invitation only (`SIGNUP`). The first account can always register.",
        example: "open",
      }),
      single_sign_on: z
        .object({ name: z.string().meta({ example: "Example Login" }) })
        .nullable()
        .meta({ description: "The identity provider; null without one." }),
      open_files: z
        .object({ size_bytes_max: Count.meta({ description: "The largest file.", example: 8_388_608 }) })
        .nullable()
        .meta({ description: "Whether anyone may open a profile file (`OPEN_FILES`); null if not." }),
    }),
  }),
] as const;
