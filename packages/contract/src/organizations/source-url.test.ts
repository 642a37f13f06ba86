import { expect, it } from "vitest";
import { sourcePatternProblem, sourceUrl } from "./source-url.ts";

const pattern = "https://github.com/acme/shop/blob/v{version}/{file}#L{line}";
const inApp = { url_pattern: pattern, path_prefix: "/app/" };
const place = { file: "/app/cart/cart.go", line: 12, version: "1.4.2" };

it.each([
  [pattern, undefined],
  ["https://git.example.com/{file}?at={version}", undefined],
  ["http://github.com/{file}", "Begin the pattern with https://"],
  ["javascript:alert('{file}')", "Begin the pattern with https://"],
  ["https://github.com/acme", "The pattern needs {file}"],
  ["https://github.com/{file}{user}", "The pattern has {user}; only {file}, {line} and {version} are known"],
  ["https://{file}", "The host of the pattern cannot have placeholders"],
  ["https://x.{version}.example.com/{file}", "The host of the pattern cannot have placeholders"],
  ["https://me:secret@example.com/{file}", "Leave names and passwords out of the pattern"],
  ["https://exa mple/{file}", "The pattern is not an address"],
])("%s: %s", (text, problem) => {
  expect(sourcePatternProblem(text)).toBe(problem);
});

it("leads to the line of a version", () => {
  expect(sourceUrl(inApp, place)).toBe("https://github.com/acme/shop/blob/v1.4.2/cart/cart.go#L12");
  expect(sourceUrl(inApp, { ...place, version: undefined, line: 0 })).toBe(
    "https://github.com/acme/shop/blob/HEAD/cart/cart.go#L1",
  );
});

it.each([
  ["https://git.example.com/{file}?at={version}#{line}", "https://git.example.com/cart/cart.go?at=HEAD#12"],
  ["https://code.example.com/shop@v{version}/-/{file}", "https://code.example.com/shop@HEAD/-/cart/cart.go"],
])("without a version keeps the rest of %s", (url_pattern, url) => {
  expect(sourceUrl({ ...inApp, url_pattern }, { ...place, version: undefined })).toBe(url);
});

it("has no link for files outside of the prefix", () => {
  for (const file of ["", "/usr/local/go/src/fmt/print.go", "/app/", "/app/../etc/passwd"])
    expect(sourceUrl(inApp, { ...place, file })).toBeUndefined();
});

it("keeps hostile files and versions inside the path", () => {
  const hostile = { file: `/app/x?y#z/"><script>.go`, line: 1, version: "../../evil@host/{file}" };
  const url = new URL(sourceUrl(inApp, hostile)!);
  expect([url.origin, url.hash]).toEqual(["https://github.com", "#L1"]);
  expect(url.pathname).toMatch(/^\/acme\/shop\/blob\/v\.\.%2F\.\.%2Fevil%40host%2F/u);
  expect(url.search).toBe("");
});
