import { isServiceName, limits, normalServiceName } from "@flamekeep/contract";
import { accepted, type Outcome, refused } from "#ingest/refusal.ts";

/** The normalized name of a service, or why it is refused. */
export function checkedService(text: string): Outcome<string> {
  const service = normalServiceName(text);
  if (service.length > limits.serviceNameLengthMax) {
    const max = limits.serviceNameLengthMax;
    return refused(
      "unprocessable",
      "service",
      `The service name is longer than ${max} characters. Shorten it.`,
    );
  }
  if (!isServiceName(service)) {
    return refused(
      "unprocessable",
      "service",
      "The service name may have letters, digits and . _ - / : in it, and begins with a letter or digit. Rename the service.",
    );
  }
  return accepted(service);
}
