import { limits } from "./limits.ts";

/** Pyroscope's characters for an application, `:` for image names, a leading `/` for paths, letters of any script. */
const pattern = /^\/?[\p{L}\p{N}_][\p{L}\p{N}_.\-/:]*$/u;

/** The stored form of a service's name: trimmed, and in Unicode normalization form C. */
export function normalServiceName(text: string): string {
  return text.trim().normalize("NFC");
}

/** Whether profiles can be stored under the name. */
export function isServiceName(text: string): boolean {
  const name = normalServiceName(text);
  return name.length <= limits.serviceNameLengthMax && pattern.test(name);
}
