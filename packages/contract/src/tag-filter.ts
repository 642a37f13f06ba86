import { z } from "zod";

/** In the query of a call, next to which names that begin with `tag.` are allowed. */
export const TagFilter = z
  .union([z.string(), z.array(z.string())])
  .optional()
  .meta({
    description: "`NAME:VALUE`, may be given several times; `tag.NAME=VALUE` is the same.",
    example: "region:eu",
  });
