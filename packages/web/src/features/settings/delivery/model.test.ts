import type { AlertSettings } from "@flamekeep/contract";
import { describe, expect, it } from "vitest";
import { changeOf, draftOf, isSetUp, problemsOf } from "./model.ts";

const nothing: AlertSettings = {
  webhook: { is_set: false, origin: null, is_signed: false },
  slack: { is_set: false, origin: null },
  teams: { is_set: false, origin: null },
  pagerduty: { is_set: false, region: "us" },
  emails: [],
  problem: null,
};
const everything: AlertSettings = {
  webhook: { is_set: true, origin: "https://hooks.example.com", is_signed: true },
  slack: { is_set: true, origin: "https://hooks.slack.com" },
  teams: { is_set: true, origin: "https://prod-01.westeurope.logic.azure.com" },
  pagerduty: { is_set: true, region: "eu" },
  emails: ["ada@example.com", "bob@example.com"],
  problem: null,
};
const url = "https://hooks.example.com/flamekeep";
const empty = draftOf(nothing);
const texts = (problems: readonly { readonly text: string }[]) => problems.map(({ text }) => text);

describe("what a form sends", () => {
  it("leaves out what stays empty, because stored addresses and secrets are not shown", () => {
    expect(changeOf("webhook", empty)).toEqual({});
    expect(changeOf("slack", empty)).toEqual({});
    expect(changeOf("webhook", { ...empty, url: ` ${url} `, secret: "a secret of some length" })).toEqual({
      webhook_url: url,
      webhook_secret: "a secret of some length",
    });
    expect(changeOf("webhook", { ...empty, removesSecret: true })).toEqual({ webhook_secret: null });
  });

  it("of Teams and PagerDuty are their own fields", () => {
    expect(changeOf("teams", { ...empty, url: ` ${url} ` })).toEqual({ teams_url: url });
    expect(changeOf("pagerduty", { ...empty, region: "eu" })).toEqual({ pagerduty_region: "eu" });
    expect(draftOf(everything).region).toBe("eu");
  });

  it("splits addresses by lines, commas and spaces, each once", () => {
    const emails = "a@example.com, b@example.com\nc@example.com;a@example.com\n";
    expect(changeOf("email", { ...empty, emails })).toEqual({
      emails: ["a@example.com", "b@example.com", "c@example.com"],
    });
    expect(draftOf(everything).emails).toBe("ada@example.com\nbob@example.com");
  });
});

describe("the problems of a form", () => {
  it("are none for what the contract accepts", () => {
    expect(problemsOf("webhook", { ...empty, url }, nothing)).toEqual([]);
    expect(problemsOf("webhook", empty, everything)).toEqual([]);
    expect(problemsOf("email", { ...empty, emails: "ada@example.com" }, nothing)).toEqual([]);
  });

  it("are a missing URL or address of a channel that is not set up", () => {
    expect(problemsOf("slack", empty, nothing)).toEqual([{ field: "url", text: "Enter the URL to send to" }]);
    expect(problemsOf("email", empty, everything)).toEqual([
      { field: "emails", text: "Enter at least one address" },
    ]);
  });

  it("are a missing or malformed key of PagerDuty", () => {
    const keyProblems = (routingKey: string, settings = nothing) =>
      texts(problemsOf("pagerduty", { ...empty, routingKey }, settings));
    expect(keyProblems("")).toEqual(["Enter the integration key"]);
    expect(keyProblems("", everything)).toEqual([]);
    expect(keyProblems("a key")).toEqual(["The integration key must be 32 letters and digits"]);
    expect(keyProblems("e93facc04764012d7bfb002500d5d1a6")).toEqual([]);
  });

  it.each(["ftp://example.com/x", "https://ada:secret@example.com/", "hooks.example.com"])(
    "name the rule that %s breaks",
    (text) => {
      expect(texts(problemsOf("webhook", { ...empty, url: text }, nothing))).toEqual([
        "The URL must be an http or https URL without a name and password in it",
      ]);
    },
  );

  it("name a secret of the wrong length, and each wrong address", () => {
    const problems = (secret: string) => texts(problemsOf("webhook", { ...empty, url, secret }, nothing));
    expect(problems("short")).toEqual(["The secret must be at least 16 characters long"]);
    expect(problems("x".repeat(201))).toEqual(["The secret is too long"]);
    expect(texts(problemsOf("email", { ...empty, emails: "ada@example.com bob carl@" }, nothing))).toEqual([
      "bob is not an e-mail address",
      "carl@ is not an e-mail address",
    ]);
    const many = Array.from({ length: 21 }, (_, index) => `p${index}@example.com`).join("\n");
    expect(texts(problemsOf("email", { ...empty, emails: many }, nothing))).toEqual([
      "Enter at most 20 addresses",
    ]);
  });
});

it("a channel is set up if it has an address", () => {
  expect([isSetUp("email", nothing), isSetUp("slack", nothing)]).toEqual([false, false]);
  expect([isSetUp("email", everything), isSetUp("webhook", everything)]).toEqual([true, true]);
});
