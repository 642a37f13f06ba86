import { z } from "zod";
import { endpointIn } from "#base/endpoint.ts";
import { limits } from "#base/limits.ts";
import { Instant } from "#base/moments.ts";
import { SentProfileType } from "#base/profile-type-schemas.ts";
import { SampleCount } from "#base/values.ts";
import * as calls from "./calls.ts";

const OpenedGraph = z
  .object({
    type: z.string().meta({ description: "Kind of profile.", example: "cpu" }),
    url: z.string().meta({
      description: "The link. Only this reply contains it.",
      example: "https://flamekeep.example.com/shared/q1Zr8mB0vXc3nKf7tYw2LdPs5HgJ9aEuRi6oTxQyNkM",
    }),
  })
  .meta({ id: "OpenedGraph" });

const OpenedFile = z
  .object({
    file: z.string().meta({ description: "Its name.", example: "checkout.pb.gz" }),
    recognized_as: z.string().meta({ description: "The format of the file.", example: "a speedscope file" }),
    sample_count: SampleCount,
    graphs: z.array(OpenedGraph).min(1).meta({ description: "One for each type of profile in the file." }),
    expires_at: Instant.meta({ description: "When the links end." }),
  })
  .meta({ id: "OpenedFile" });

const endpoint = endpointIn("Sharing");

export const openFileEndpoints = [
  endpoint(calls.openFile, {
    summary: "Open a profile file without an account",
    description:
      "403 unless the operator allows it (`OPEN_FILES`). The file gets a public link for each type of profile in it. The links work for a day, nothing lists them, and the profile is then removed.",
    query: z.object({
      file: z
        .string()
        .trim()
        .min(1, "file is required: the name of the file")
        .max(limits.fileNameLengthMax, `file must have at most ${limits.fileNameLengthMax} characters`)
        .meta({
          description: "Name of the file: `mutex.pprof` decides the type where the content does not.",
          example: "mutex.pprof",
        }),
      type: SentProfileType.optional(),
    }),
    upload: { description: "The file.", contentTypes: ["application/octet-stream"] },
    reply: OpenedFile,
    status: 201,
    failures: ["forbidden", "quota_exceeded", "too_large", "unprocessable", "rate_limited", "disk_full"],
  }),
] as const;
