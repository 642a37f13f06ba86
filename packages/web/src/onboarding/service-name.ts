import { limits } from "@flamekeep/contract";

const pattern = /^\/?[\p{L}\p{N}_][\p{L}\p{N}_.\-/:]*$/u;

/** Whether the server files profiles under this name; it takes spaces around it away. */
export function isServiceName(text: string): boolean {
  const name = text.trim().normalize("NFC");
  return name.length <= limits.serviceNameLengthMax && pattern.test(name);
}
