import { expect, test } from "vitest";
import { boundaryOf, splitMultipart } from "./pyroscope-form.ts";

const body = (text: string) => Buffer.from(text.replaceAll("\n", "\r\n"), "latin1");

test("reads named parts, with and without a file name, and keeps line ends within them", () => {
  const read = splitMultipart(
    body(
      `--b
Content-Disposition: form-data; name="profile"; filename="profile.pprof"
Content-Type: application/octet-stream

one
two
--b
content-disposition: form-data; name=config

{}
--b--
`,
    ),
    "b",
  );
  expect(
    read.ok && read.value.map((part) => [part.name, part.filename, Buffer.from(part.body).toString()]),
  ).toEqual([
    ["profile", "profile.pprof", "one\r\ntwo"],
    ["config", undefined, "{}"],
  ]);
});

test("an empty part is empty", () => {
  const read = splitMultipart(body('--b\nContent-Disposition: form-data; name="profile"\n\n\n--b--'), "b");
  expect(read.ok && read.value[0]?.body.length).toBe(0);
});

test.each([
  ["nothing", ""],
  ["no boundary", "hello"],
  ["a lone boundary", "--b"],
  ["no end of headers", "--b\nContent-Disposition: form-data; name=x"],
  ["no closing boundary", "--b\nContent-Disposition: form-data; name=x\n\nabc"],
  ["no name", "--b\nContent-Disposition: form-data\n\nabc\n--b--"],
  ["too many parts", `${"--b\nContent-Disposition: form-data; name=x\n\n1\n".repeat(17)}--b--`],
])("refuses %s", (_, text) => {
  expect(splitMultipart(body(text), "b")).toMatchObject({ ok: false, refusal: { code: "invalid" } });
});

test("takes the boundary from the content type only for forms", () => {
  expect(boundaryOf("multipart/form-data; boundary=abc")).toBe("abc");
  expect(boundaryOf('Multipart/Form-Data; charset=utf-8; boundary="a b"')).toBe("a b");
  expect(boundaryOf("application/octet-stream; boundary=abc")).toBeUndefined();
  expect(boundaryOf("multipart/form-data")).toBeUndefined();
  expect(boundaryOf(undefined)).toBeUndefined();
});
