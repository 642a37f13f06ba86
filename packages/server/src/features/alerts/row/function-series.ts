// The series of alerts about functions: `function/cpu/nanoseconds main.priceCart`, with the function that rose most.
import { z } from "zod";

const prefix = "function/";
/** For queries: the sample types of all alerts about functions. */
export const functionPattern = `${prefix}%/% %`;

/** PostgreSQL's index of open alerts takes no longer texts. */
const nameMax = 500;

export function functionSampleType(sampleType: string, name: string): string {
  return `${prefix}${sampleType} ${name.slice(0, nameMax)}`;
}

/** The sample type of the profiles; undefined if the alert is not about functions. */
export function sampleTypeOfFunctions(sampleType: string): string | undefined {
  const end = sampleType.indexOf(" ");
  if (!sampleType.startsWith(prefix) || end < 0) return undefined;
  const name = sampleType.slice(prefix.length, end);
  return name.includes("/") ? name : undefined;
}

/** The `reference` of an alert about functions: parts of the service, and its level, when the alert opened. */
export const FunctionReference = z.object({
  level: z.number(),
  risen: z.array(
    z.object({
      /** See `functionKey`. */
      key: z.string(),
      name: z.string(),
      figure: z.enum(["self", "total"]),
      before: z.number(),
      after: z.number(),
    }),
  ),
});
export type FunctionReference = z.output<typeof FunctionReference>;
