import { limits } from "@flamekeep/contract";
import { accepted, type Outcome, refused } from "./refusal.ts";

const pattern = /^[\p{L}\p{N}_][\p{L}\p{N}_.\-/:]*$/u;

/** Pyroscope's characters for an application, `:` for image names, a leading `/` for paths, letters of any script. */
export function checkedService(text: string): Outcome<string> {
  const service = text.trim().normalize("NFC");
  if (service.length > limits.serviceNameLengthMax) {
    const max = limits.serviceNameLengthMax;
    return refused(
      "unprocessable",
      "service",
      `The service name is longer than ${max} characters. Shorten it.`,
    );
  }
  if (!pattern.test(service.replace(/^\//, ""))) {
    return refused(
      "unprocessable",
      "service",
      "The service name may have letters, digits and . _ - / : in it, and begins with a letter or digit. Rename the service.",
    );
  }
  return accepted(service);
}
