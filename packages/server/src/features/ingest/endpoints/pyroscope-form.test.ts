import { gzipSync, zstdCompressSync } from "node:zlib";
import { refusalOf } from "@flamekeep/profile";
import { expect, test } from "vitest";
import { inflate } from "#stacks/inflate.ts";
import { pyroscopeForm } from "./pyroscope-form.ts";

const body = (text: string) => Buffer.from(text.replaceAll("\n", "\r\n"), "latin1");

test.each([
  ["tree", undefined, "a", 'The format "tree" is not accepted. Send pprof'],
  ["xyz", undefined, "a", 'Unknown format "xyz" is not accepted. Send pprof'],
  [undefined, "binary/octet-stream+trie", "a", 'The format "binary/octet-stream+trie" is not accepted.'],
  [undefined, undefined, "<!DOCTYPE html><html></html>", refusalOf("html")],
  [undefined, undefined, "main;work 1\n", "Without format the body means folded stacks"],
])("refuses the format %s in %s with a body of %j by its name", (format, contentType, text, message) => {
  expect(pyroscopeForm(format, contentType, body(text))).toMatchObject({
    ok: false,
    refusal: { code: "unprocessable", message: expect.stringContaining(message!) },
  });
});

test.each([
  ["as they are", (bytes: Buffer) => bytes, (bytes: Buffer) => bytes],
  ["with gzip", gzipSync, gzipSync],
  ["with zstd", zstdCompressSync, gzipSync],
  ["with gzip alone", gzipSync, (bytes: Buffer) => bytes],
  ["as it is", (bytes: Buffer) => bytes, zstdCompressSync],
])("takes a recording %s, with the labels of its contexts behind it", (_, pack, packLabels) => {
  const [recording, labels] = [pack(Buffer.from("FLR\0...")), packLabels(Buffer.from("labels"))];
  const part = (name: string) =>
    Buffer.from(`\r\n--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`);
  const sent = Buffer.concat([part("labels"), labels, part("jfr"), recording, Buffer.from("\r\n--b--\r\n")]);
  const form = pyroscopeForm("jfr", "multipart/form-data; boundary=b", sent);
  if (!form.ok) throw new Error(form.refusal.message);
  expect(Buffer.from(form.value.profile).subarray(0, recording.length).equals(recording)).toBe(true);
  const inflated = inflate(form.value.profile, 1000);
  expect(inflated.ok && Buffer.from(inflated.bytes).toString()).toBe("FLR\0...labels");
});

test("a form that is compressed as a whole, or has no recording, is refused with what to change", () => {
  const form = body('--b\nContent-Disposition: form-data; name="labels"\n\n1\n--b--');
  const messageOf = (sent: Buffer) => {
    const read = pyroscopeForm("jfr", "multipart/form-data; boundary=b", sent);
    return read.ok ? "" : read.refusal.message;
  };
  expect(messageOf(gzipSync(form))).toMatch(/it is compressed\. Compress its parts instead\.$/);
  expect(messageOf(form)).toBe("The form has no part named jfr. Send the recording in it.");
});

test("takes the body itself with format=pprof or speedscope, and without a format if it is compressed or names its own", () => {
  for (const [format, sent] of [
    ["pprof", body("anything")],
    ["speedscope", body("{}")],
    [undefined, gzipSync("a")],
    [undefined, body('{"traceEvents":[]}')],
  ] as const)
    expect(pyroscopeForm(format, undefined, sent)).toMatchObject({ ok: true, value: { profile: sent } });
});
