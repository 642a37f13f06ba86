import { expect, test } from "vitest";
import { boundaryOf, splitMultipart } from "./multipart.ts";

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

test.each([
  [`name="f"; filename*=UTF-8''na%C3%AFve.pprof`, "naïve.pprof"],
  [`name="f"; filename="naive.pprof"; filename*=utf-8'en'na%C3%AFve.pprof`, "naïve.pprof"],
  [`name="f"; filename="naive.pprof"; filename*=UTF-8''na%C3`, "naive.pprof"],
  [`name="f"; filename*=ISO-8859-1''na%EFve.pprof`, "ISO-8859-1''na%EFve.pprof"],
  [String.raw`name="f"; filename="my\"mutex\\.pprof"`, String.raw`my"mutex\.pprof`],
  ['name="f"; filename="my%22mutex%25.pprof"', 'my"mutex%25.pprof'],
  [String.raw`name="f"; filename="C:\temp\cpu.pprof"`, String.raw`C:\temp\cpu.pprof`],
  ['name="f"; filename=""', ""],
])("reads the file name of a part with %s", (parameters, filename) => {
  const read = splitMultipart(body(`--b\nContent-Disposition: form-data; ${parameters}\n\n1\n--b--`), "b");
  expect(read).toMatchObject({ ok: true, value: [{ name: "f", filename }] });
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
