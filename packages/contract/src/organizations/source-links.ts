import { z } from "zod";
import { endpointIn } from "#base/endpoint.ts";
import { limits } from "#base/limits.ts";
import { ServiceName } from "#base/values.ts";
import * as calls from "./calls.ts";
import { sourcePatternProblem } from "./source-url.ts";

const SourcePattern = {
  url_pattern: z
    .string()
    .max(limits.sourcePatternLengthMax)
    .superRefine((pattern, context) => {
      const problem = sourcePatternProblem(pattern);
      if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
    })
    .meta({
      description: "An https address with `{file}`, and `{line}` and `{version}` if the host has them.",
      example: "https://github.com/acme/shop/blob/v{version}/{file}#L{line}",
    }),
  path_prefix: z.string().max(limits.sourcePrefixLengthMax).default("").meta({
    description:
      "Beginning of the files of the repository as profiles name them; it is not part of `{file}`.",
    example: "/app/",
  }),
};

const SourceLink = z.object({ service: ServiceName, ...SourcePattern }).meta({ id: "SourceLink" });
export type SourceLink = z.output<typeof SourceLink>;

const endpoint = endpointIn("Profiles");

export const sourceLinkEndpoints = [
  endpoint(calls.listSourceLinks, {
    summary: "Source links of all services",
    reply: z.object({ source_links: z.array(SourceLink) }),
  }),
  endpoint(calls.updateSourceLink, {
    summary: "Set the source link of a service",
    description: "Frames in flame graphs then link to their line.",
    roles: ["admin"],
    params: z.object({ service: ServiceName }),
    body: z.object(SourcePattern),
    reply: SourceLink,
    failures: ["unprocessable"],
  }),
  endpoint(calls.removeSourceLink, {
    summary: "Remove the source link of a service",
    roles: ["admin"],
    params: z.object({ service: ServiceName }),
    reply: z.object({ service: ServiceName }),
  }),
] as const;
