import { expect, it } from "vitest";
import { ignoredParameters, misspeltParameters } from "./ignored-parameters.ts";

const parameters = { names: ["service", "type", "started_at", "delta"], acceptsTags: true };
const ofMetrics = { names: ["service"], acceptsTags: false };
const hintsOf = (query: Record<string, string>, accepted = parameters) =>
  ignoredParameters(query, accepted).map(({ parameter, hint }) => `${parameter}: ${hint}`);

it("lists nothing if every parameter is used", () => {
  expect(hintsOf({ service: "a", type: "cpu", started_at: "1", "tag.region": "eu", delta: "true" })).toEqual(
    [],
  );
});

it.each([
  ["started-at", "Did you mean started_at?"],
  ["startedAt", "Did you mean started_at?"],
  ["STARTED_AT", "Did you mean started_at?"],
  ["start_at", "Did you mean started_at?"],
  ["stared_at", "Did you mean started_at?"],
  ["Type", "Did you mean type?"],
  ["typ", "Did you mean type?"],
  ["profile_type", "Did you mean type?"],
  ["timestamp", "Did you mean started_at?"],
  ["from", "Did you mean started_at?"],
  ["Service", "Did you mean service?"],
  ["servcie", "Did you mean service?"],
  ["Delta", "Did you mean delta?"],
  ["region", "Send tag.region to add a tag."],
  ["env", "Send tag.env to add a tag."],
  ["Tag.region", "Did you mean tag.region?"],
  ["tags.region", "Did you mean tag.region?"],
  ["tag_region", "Did you mean tag.region?"],
  ["tag[region]", "Did you mean tag.region?"],
  ["label.region", "Did you mean tag.region?"],
  ["tag", "Name the tag: tag.NAME=value."],
  ["tag.", "Name the tag: tag.NAME=value."],
  ["tags", "Name the tag: tag.NAME=value."],
])("%s: %s", (name, hint) => {
  expect(hintsOf({ service: "a", [name]: "x" })).toEqual([`${name}: ${hint}`]);
});

it.each([
  "key",
  "api_key",
  "apikey",
  "X-API-Key",
  "token",
  "authToken",
  "access_token",
  "Authorization",
  "bearer",
  "password",
  "basic_auth_password",
  "secret",
  "credentials",
  "label.token",
])("never suggests to send a secret as a tag: %s", (name) => {
  for (const accepted of [parameters, ofMetrics]) {
    const [hint] = hintsOf({ service: "a", [name]: "fk_x" }, accepted);
    expect(hint).toBe(`${name}: Send keys in the header X-API-Key, never in the URL.`);
  }
});

it.each(["monkey", "keyboard", "tokenizer_version", "author"])("takes %s for an ordinary name", (name) => {
  expect(hintsOf({ service: "a", [name]: "x" })).toEqual([`${name}: Send tag.${name} to add a tag.`]);
});

it("gives no hint about tags for an endpoint without tags", () => {
  const query = { service: "a", region: "eu", "tag.region": "eu", sevice: "b" };
  expect(hintsOf(query, ofMetrics)).toEqual([
    "region: null",
    "tag.region: HTTP metrics have no tags.",
    "sevice: Did you mean service?",
  ]);
});

it("a refusal names what is probably misspelt, not what is given too or like nothing", () => {
  const query = { service: "a", sevice: "b", Delta: "true", region: "eu" };
  expect(misspeltParameters(query, parameters)).toBe("The URL has Delta: did you mean delta?");
});

it("takes a short name for another one only if one letter differs", () => {
  const accepted = { names: ["unit", "service"], acceptsTags: false };
  expect(hintsOf({ uni: "x", ubot: "x", sarvica: "x" }, accepted)).toEqual([
    "uni: Did you mean unit?",
    "ubot: null",
    "sarvica: Did you mean service?",
  ]);
});

it("lists at most 20, with names of 100 characters and without control characters", () => {
  const query = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`${i}${"n".repeat(5000)}`, "1"]));
  const listed = ignoredParameters(query, parameters);
  expect(listed.length).toBe(20);
  for (const { parameter, hint } of listed) {
    expect([parameter.length, (hint ?? "").length <= 140]).toEqual([100, true]);
  }
  expect(ignoredParameters({ "a\u001b[31m": "1" }, parameters)[0]!.parameter).toBe("a\ufffd[31m");
});
