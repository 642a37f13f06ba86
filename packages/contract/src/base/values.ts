import { z } from "zod";
import { limits } from "./limits.ts";
import { hiddenInLineRule, isReadableLine } from "./readable.ts";

/** A query parameter from 1 to `max`. */
export function wholeNumber(max: number, byDefault: number) {
  return z.coerce.number().int().min(1).max(max).default(byDefault);
}

/** A name that people give something, whose kind begins its messages. */
export function givenName(kind: string, lengthMax: number) {
  const error = `${kind} is required`;
  return z
    .string({ error })
    .trim()
    .min(1, { error })
    .max(lengthMax, { error: `${kind} must be at most ${lengthMax} characters` })
    .refine(isReadableLine, { error: `${kind} ${hiddenInLineRule}` });
}

/** The query parameter that selects a sample type. */
export function sampleTypeField(description: string) {
  return z.string().max(limits.sampleTypeLengthMax).optional().meta({ description, example: "inuse_space" });
}

/** A parameter of a query that may be repeated. */
export const Texts = z.union([z.string(), z.array(z.string())]).optional();

/** In the query of a call, next to which names that begin with `tag.` are allowed. */
export const TagFilter = Texts.meta({
  description: "`NAME:VALUE`, may be given several times; `tag.NAME=VALUE` is the same.",
  example: "region:eu",
});

/** In the query of a call. */
export const LabelFilter = Texts.meta({
  description:
    "`NAME:VALUE` of a label of samples, may be given several times: only samples with all of them count. A label may have one value. `NAME:` is for samples without the label.",
  example: "handler:/checkout",
});

export const LabelName = z.string().min(1).max(limits.tagNameLengthMax);

export const LabelsOfReply = z.record(z.string(), z.string()).meta({
  description: "Only samples with all of these labels count; an empty value means without the label.",
  example: { handler: "/checkout" },
});

/** Sums of int64 values, which wrap around at 64 bits as in Go. Above 2^53 the nearest double; the exact ones are in the original bytes. */
export const Quantity = z.number().meta({ example: 9_870_000_000 });

/** The same in replies to uploads, lists, statistics, summaries and flame graphs. */
export const SampleCount = Quantity.meta({
  description:
    "The profiler's count for the main sample type: CPU samples, contentions, objects, goroutines; the number of distinct stacks if it counted nothing. In a flame graph, the count of the graph's sample type under the frame. For HTTP metrics, the requests.",
  example: 987,
});

export const ProfileId = z
  .string()
  .regex(/^[0-9a-f]{32}$/, { error: "A profile id is 32 lower-case hexadecimal characters" })
  .meta({
    description: "32 lower-case hexadecimal characters.",
    example: "3f9a1c07be52d8e4460b7c91691e9f40",
  });

export const ServiceName = z.string().min(1).max(limits.serviceNameLengthMax).meta({ example: "checkout" });

/** Where a page of a list begins. */
export const ListCursor = z
  .string()
  .max(limits.cursorLengthMax)
  .optional()
  .meta({ description: "`next_cursor` of the previous page." });

export const NextCursor = z
  .string()
  .nullable()
  .meta({ description: "null on the last page.", example: null });

/** Query parameters of a list of services or projects. */
export const listPage = {
  limit: wholeNumber(limits.listPageMax, limits.listPageMax),
  cursor: ListCursor,
};

/** A number of items. */
export const Count = z.int().nonnegative().meta({ example: 288 });

/** Parameter of calls about one profile. A malformed id gets the same reply as an unknown one. */
export const ProfileParams = z.object({ id: z.string().meta(ProfileId.meta() ?? {}) });
