import { z } from "zod";
import { limits } from "#base/limits.ts";

/** A DNS name: a last part that is a number makes it an IP address in one of its forms. */
export const hostName = /^(?=.{1,253}$)(?!.*(^|\.)(\d+|0x[\da-f]*)\.?$)[\w-]+(\.[\w-]+)*\.?$/i;

const plainPathRule = "must have a path without . and .. as parts, and with two digits after each %";

/** Whether a path stays the same when its address is parsed. */
const isPlainPath = (path: string) =>
  !/%(?![\da-f]{2})/i.test(path) && !/(^|\/)(\.|%2e){1,2}(?=\/|$)/i.test(path);

export function httpUrl(kind: string) {
  const error = `${kind} must be an http or https address without user, password and fragment`;
  return z
    .url({ protocol: /^https?$/, error })
    .max(limits.targetUrlLengthMax)
    .refine((text) => /^https?:\/\/[^/?#@\s]+([/?][^#]*)?$/i.test(text), { error })
    .refine((text) => !/^https?:\/\/[^/?#]*:0+([/?]|$)/i.test(text), {
      error: `${kind} must have a port from 1 to 65535`,
    })
    .refine((text) => isPlainPath(text.split("?")[0]!), { error: `${kind} ${plainPathRule}` });
}

export const pathPrefix = z
  .string()
  .trim()
  .regex(/^(\/[\w.~%-]+)*\/?$/, { error: "path_prefix must be a path such as /internal, or empty" })
  .refine(isPlainPath, { error: `path_prefix ${plainPathRule}` })
  .max(500)
  .default("")
  .meta({ description: "Before `/debug/pprof`.", example: "" });
