import { describe, expect, it } from "vitest";
import { TextBytes } from "./text-bytes.ts";

const textOf = (text: string) => new TextBytes(new TextEncoder().encode(text));

describe("a text as bytes", () => {
  it("finds a byte at every place, also behind the end of a range", () => {
    for (let length = 0; length < 12; length++) {
      for (let at = 0; at <= length; at++) {
        const text = textOf(`${"x".repeat(at)};${"y".repeat(length - at)}`);
        expect(text.find(0x3b, 0, length + 1)).toBe(at);
        expect(text.find(0x3b, 0, at)).toBe(at);
        expect(text.findLast(0x3b, 0x3b, 0, length + 1)).toBe(at);
      }
    }
  });

  it.each(["a ", "a\t\r\v\f", "a\u00a0", "é\u3000 \u2028", "é", "a\ufeff\u00a0", " ", "\u00e0", "\u2003"])(
    "ends %j without white space as strings do",
    (text) => {
      const { length } = textOf(text).bytes;
      expect(textOf(text).text(0, textOf(text).trimmedEnd(0, length))).toBe(text.trimEnd());
    },
  );

  it.each(["12", "9007199254740991", "9007199254740992", "12345678901234567", "", "1a", "-1"])(
    "reads %j as a whole number within 2^53, or as none",
    (text) => {
      const isNumber = /^\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text));
      expect(textOf(text).number(0, text.length)).toBe(isNumber ? Number(text) : undefined);
    },
  );

  it.each(["33 +0x24", "0x12", "-7", "99999999999", "x", "123456789012345678901"])(
    "reads the number at the beginning of %j in 32 bits",
    (text) => {
      expect(textOf(text).leadingInt32(0, text.length)).toBe(Number.parseInt(text, 10) | 0);
    },
  );
});
