import { limits } from "#base/limits.ts";
import { isReadableLine } from "#base/readable.ts";

const emailPattern = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Characters with a meaning in the headers of mail (RFC 5322, 3.2.3): mail to `<ada@example.com>` reaches ada@example.com. */
const mailSyntax = /[()<>[\]:;\\,"]/;

/** Non-space text, @, text, dot, text, without mail syntax, and not longer than an address can be. */
export function isEmail(text: string): boolean {
  return (
    !/\p{Cf}/u.test(text) &&
    text.length <= limits.emailLengthMax &&
    emailPattern.test(text) &&
    !mailSyntax.test(text) &&
    isReadableLine(text)
  );
}
