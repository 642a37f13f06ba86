import { z } from "zod";
import { limits } from "./limits.ts";

/** In the query of a call. */
export const LabelFilter = z
  .union([z.string(), z.array(z.string())])
  .optional()
  .meta({
    description:
      "`NAME:VALUE` of a label of samples, may be given several times: only samples with all of them count. A label may have one value. `NAME:` is for samples without the label.",
    example: "handler:/checkout",
  });

export const LabelName = z.string().min(1).max(limits.tagNameLengthMax);

export const LabelsOfReply = z.record(z.string(), z.string()).meta({
  description: "Only samples with all of these labels count; an empty value means without the label.",
  example: { handler: "/checkout" },
});
