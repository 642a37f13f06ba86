import { expect, test } from "vitest";
import { idOfBytes, idOfText } from "./content-id.ts";
import { encodeText } from "./wire-reader.ts";

test("a text has the id of its UTF-8 form, short or long, ASCII or not", () => {
  const texts = ["", "main", "libc.so.6!0x7f00deadbeef", "größe", "Ā", "x".repeat(256), "x".repeat(257)];
  for (const text of [...texts, "\ud800", "日本", `${"y".repeat(250)}é`]) {
    const [ofText, ofBytes] = [new Uint32Array(2), new Uint32Array(2)];
    const bytes = encodeText(text);
    idOfText(text, ofText, 0);
    idOfBytes(bytes, 0, bytes.length, ofBytes, 0);
    expect([...ofText], text).toEqual([...ofBytes]);
  }
});
