import { expect, it } from "vitest";
import { apiKeyOf, bearerOf } from "./credentials.ts";

const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;
const long = "k".repeat(4097);

it.each([
  [{ "x-api-key": "fk_1" }, "fk_1"],
  [{ "x-api-key": " fk_1 " }, "fk_1"],
  [{ "x-api-key": "fk_1", authorization: "Bearer fk_2" }, "fk_1"],
  [{ "x-api-key": "", authorization: "Bearer fk_2" }, "fk_2"],
  [{ "x-api-key": "k".repeat(4096) }, "k".repeat(4096)],
  [{ "x-api-key": long, authorization: "Bearer fk_2" }, undefined],
  [{ authorization: "bearer  fk_2 " }, "fk_2"],
  [{ authorization: `Bearer ${long}` }, undefined],
  [{ authorization: basic("user:fk_3") }, "fk_3"],
  [{ authorization: basic(":fk:3") }, "fk:3"],
  [{ authorization: basic("fk_3") }, undefined],
  [{ authorization: "Digest fk_2" }, undefined],
  [{ authorization: "fk_2" }, undefined],
  [{ authorization: "Bearer " }, undefined],
  [{}, undefined],
])("the API key of %o", (headers, key) => {
  expect(apiKeyOf(headers)).toBe(key);
});

it("a bearer token is taken from Authorization alone", () => {
  expect(bearerOf({ "x-api-key": "fk_1" })).toBeUndefined();
  expect(bearerOf({ authorization: "BEARER token" })).toBe("token");
  expect(bearerOf({ authorization: basic("user:fk_3") })).toBeUndefined();
});
