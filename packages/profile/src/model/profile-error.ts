/**
 * Why bytes are refused as a profile.
 *
 * - `empty`: no bytes
 * - `not_pprof`: the bytes are another format; the message names it and what to send instead
 * - `malformed`: not well-formed protobuf of this shape (cut off, wrong wire type, bad varint, no string table)
 * - `invalid`: well-formed, but its parts contradict each other (Go's CheckValid refuses them)
 * - `concatenated`: two profiles one after the other
 * - `too_large`: a hard limit is exceeded, `field` is the limit's name
 */
export type ProfileErrorCode = "empty" | "not_pprof" | "malformed" | "invalid" | "concatenated" | "too_large";

export interface ProfileError {
  readonly code: ProfileErrorCode;
  /** One sentence for the sender. */
  readonly message: string;
  /** Path in profile.proto, such as `sample.location_id`, or the name of a limit. */
  readonly field: string;
  /** Byte offset in the inflated profile. */
  readonly offset: number;
}

/** Carries a ProfileError from the depth of the reader to `readProfile`, which never throws. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly reason: ProfileError;

  constructor(code: ProfileErrorCode, message: string, field: string, offset: number) {
    super(message);
    this.reason = { code, message, field, offset };
  }
}
