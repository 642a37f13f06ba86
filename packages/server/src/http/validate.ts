import { z } from "zod";
import { invalid } from "#failure";

const english = z.locales.en().localeError;

/**
 * What `input` means under `schema`, or a 400 that names the field and what is accepted.
 * A schema's own sentence is sent as it stands; zod's get the field in front.
 */
export function checked<S extends z.ZodType>(where: string, schema: S, input: unknown): z.output<S> {
  const result = schema.safeParse(input, { error: (issue) => sentence(where, issue) });
  if (result.success) return result.data;
  throw invalid(result.error.issues[0]?.message ?? "The request is not valid");
}

function sentence(where: string, issue: z.core.$ZodRawIssue): string {
  const found = english(issue);
  const text = typeof found === "string" ? found : (found?.message ?? "Invalid input");
  const field = (issue.path ?? []).map(String).join(".");
  const subject = field === "" ? where : `${where} '${field}'`;
  if (issue.code === "invalid_type" && issue.input === undefined && field !== "") {
    return `${subject} is required (${issue.expected})`;
  }
  return `${subject}: ${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}
