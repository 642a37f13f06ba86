import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { limits } from "./limits.ts";
import { ServiceName } from "./profiles.ts";
import { sourcePatternProblem } from "./source-url.ts";

const area = "Profiles";

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

export const listSourceLinks = endpoint({
  method: "GET",
  path: "/api/v1/protected/source-links",
  area,
  summary: "Where the source of each service is",
  auth: "session",
  reply: z.object({ source_links: z.array(SourceLink) }),
});

export const updateSourceLink = endpoint({
  method: "PUT",
  path: "/api/v1/protected/services/{service}/source-link",
  area,
  summary: "Set where the source of a service is",
  description: "Frames of flame graphs then open their line there.",
  auth: "session",
  roles: ["admin"],
  params: z.object({ service: ServiceName }),
  body: z.object(SourcePattern),
  reply: SourceLink,
  failures: ["unprocessable"],
});

export const removeSourceLink = endpoint({
  method: "DELETE",
  path: "/api/v1/protected/services/{service}/source-link",
  area,
  summary: "Forget where the source of a service is",
  auth: "session",
  roles: ["admin"],
  params: z.object({ service: ServiceName }),
  reply: z.object({ service: ServiceName }),
});
