import { limits, timeBuckets } from "@flamekeep/contract";
import { z } from "zod";

function optional<T extends z.ZodType>(schema: T) {
  return schema.optional().catch(undefined);
}

/** View state of the service's page in the URL, next to the time range and the table's; malformed parts are ignored. */
export const serviceSearch = {
  selection: optional(z.string().max(100)),
  sample_type: optional(z.string().max(limits.sampleTypeLengthMax)),
  tags: optional(z.record(z.string().min(1).max(limits.tagNameLengthMax), z.string().max(1024))),
  group_by: optional(z.string().min(1).max(limits.tagNameLengthMax)),
  stacked: optional(z.literal(1)),
  bucket: optional(z.enum(timeBuckets)),
  /** The flame graph's search: `q` is the table's. The rest is read by the flame graph's own link codec, with fallbacks. */
  find: z.unknown().optional(),
  zoom: z.unknown().optional(),
  focus: z.unknown().optional(),
  scheme: z.unknown().optional(),
  pane: z.unknown().optional(),
  legend: z.unknown().optional(),
};

const ServiceSearch = z.object(serviceSearch);
export type ServiceSearch = z.output<typeof ServiceSearch>;
