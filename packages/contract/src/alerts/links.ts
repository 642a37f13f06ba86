import type { Alert } from "./alert.ts";

type Compared = Pick<
  Alert,
  "service" | "profile_type" | "sample_type" | "culprit" | "previous_range" | "current_range"
>;

/** The search of the comparison page for the two ranges of an alert, in which its culprit is selected. */
export function alertComparisonSearch({
  service,
  profile_type: type,
  sample_type,
  culprit,
  previous_range: before,
  current_range: after,
}: Compared) {
  const ranges = {
    before_from: before.from,
    before_to: before.to,
    after_from: after.from,
    after_to: after.to,
  };
  return { service, type, sample_type, ...ranges, ...(culprit && { fn: functionLink(culprit) }) };
}

/** Go names carry their package. */
const goFile = /\.(?:go|s)$/;

/** The text by which a link to a flame graph (`fn`) refers to a function: with its file, because other files may have the same name. */
export function functionLink({ name, file = "" }: { readonly name: string; readonly file?: string }): string {
  return file === "" || goFile.test(file) ? name : `${name} (${file})`;
}
