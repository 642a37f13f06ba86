import { Refusal } from "#model/profile-error.ts";
import { WireReader } from "#wire/wire-reader.ts";
import { functionFields } from "./functions.ts";
import { labelFields } from "./labels.ts";
import { lineFields, locationFields } from "./locations.ts";
import { mappingFields } from "./mappings.ts";
import { profileFields } from "./outline.ts";
import { sampleFields } from "./samples.ts";

/** The fields of the messages of profile.proto, at their numbers. */
const fieldsOf: ReadonlyMap<string, readonly string[]> = new Map([
  ["profile", profileFields],
  ["sample_type", ["", "sample_type.type", "sample_type.unit"]],
  ["sample", sampleFields],
  ["sample.label", labelFields],
  ["mapping", mappingFields],
  ["location", locationFields],
  ["location.line", lineFields],
  ["function", functionFields],
  ["period_type", ["", "period_type.type", "period_type.unit"]],
]);

/**
 * The field whose number at `offset` cannot be read; `profile` for an unknown field. Number readers do not
 * carry field names, which would slow every read; so this walks the message again after a failure.
 */
export function fieldAt(bytes: Uint8Array, offset: number): string {
  return brokenIn(new WireReader(bytes), bytes.length, "profile", offset) ?? "profile";
}

/** The field in `message`, which ends at `end`, that cannot be read or contains the number; undefined if the number comes later. */
function brokenIn(wire: WireReader, end: number, message: string, offset: number): string | undefined {
  let field = message;
  try {
    while (wire.pos < end && wire.pos <= offset) {
      field = message;
      const tag = wire.tag(end);
      field = fieldsOf.get(message)?.[tag >>> 3] || message;
      if ((tag & 7) !== 2) {
        wire.other(tag, end, field, []);
        continue;
      }
      const stop = wire.block(end, field);
      const isMessage = field !== message && fieldsOf.has(field);
      if (!isMessage && offset < stop) return field;
      const broken = isMessage && offset <= stop ? brokenIn(wire, stop, field, offset) : undefined;
      if (broken !== undefined) return broken;
      wire.pos = stop;
    }
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return field;
    throw error;
  }
}
