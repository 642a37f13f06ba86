import { type AlertChannel, type AlertSettings, alertChannels, channelState } from "@flamekeep/contract";
import { describe, expect, it } from "vitest";
import { noChannels as nothing } from "#testing/alerts.ts";
import { changeOf, draftOf, problemsOf, removalOf, targetText } from "./model.ts";

const channels = ["webhook", "slack", "teams", "pagerduty", "email"] as const;
const everything: AlertSettings = {
  ...nothing,
  webhook: { is_set: true, origin: "https://hooks.example.com", is_signed: true },
  slack: { is_set: true, origin: "https://hooks.slack.com" },
  teams: { is_set: true, origin: "https://prod-01.westeurope.logic.azure.com" },
  pagerduty: { is_set: true, region: "eu" },
  emails: ["ada@example.com", "bob@example.com"],
};
const url = "https://hooks.example.com/flamekeep";
const texts = (problems: readonly { readonly text: string }[]) => problems.map(({ text }) => text);

/** The form of a channel in which somebody typed. */
function typed(channel: AlertChannel, values: Readonly<Record<string, string>> = {}, settings = nothing) {
  const draft = draftOf(channel, settings);
  return { ...draft, texts: { ...draft.texts, ...values } };
}

describe("what a form sends", () => {
  it("leaves out what stays empty, because stored addresses and secrets are not shown", () => {
    expect(changeOf("webhook", typed("webhook"))).toEqual({});
    expect(changeOf("slack", typed("slack"))).toEqual({});
    const values = { webhook_url: ` ${url} `, webhook_secret: "a secret of some length" };
    expect(changeOf("webhook", typed("webhook", values))).toEqual({ ...values, webhook_url: url });
    expect(changeOf("webhook", { ...typed("webhook"), removed: ["webhook_secret"] })).toEqual({
      webhook_secret: null,
    });
  });

  it("of Teams and PagerDuty are their own fields", () => {
    expect(changeOf("teams", typed("teams", { teams_url: ` ${url} ` }))).toEqual({ teams_url: url });
    expect(changeOf("pagerduty", typed("pagerduty", { pagerduty_region: "eu" }))).toEqual({
      pagerduty_region: "eu",
    });
    expect(draftOf("pagerduty", everything).texts).toEqual({
      pagerduty_routing_key: "",
      pagerduty_region: "eu",
    });
  });

  it("splits addresses by lines, commas and spaces, each once", () => {
    const emails = "a@example.com, b@example.com\nc@example.com;a@example.com\n";
    expect(changeOf("email", typed("email", { emails }))).toEqual({
      emails: ["a@example.com", "b@example.com", "c@example.com"],
    });
    expect(draftOf("email", everything).texts).toEqual({ emails: "ada@example.com\nbob@example.com" });
  });

  it("removes all that a channel has stored", () => {
    expect(Object.assign({}, ...channels.map(removalOf))).toEqual({
      webhook_url: null,
      webhook_secret: null,
      slack_url: null,
      teams_url: null,
      pagerduty_routing_key: null,
      emails: [],
    });
  });
});

describe("the problems of a form", () => {
  it("are none for what the contract accepts", () => {
    expect(problemsOf("webhook", typed("webhook", { webhook_url: url }), nothing)).toEqual([]);
    expect(problemsOf("webhook", typed("webhook"), everything)).toEqual([]);
    expect(problemsOf("email", typed("email", { emails: "ada@example.com" }), nothing)).toEqual([]);
  });

  it("are a missing URL or address of a channel that is not set up", () => {
    expect(problemsOf("slack", typed("slack"), nothing)).toEqual([
      { field: "slack_url", text: "Enter the URL to send to" },
    ]);
    expect(problemsOf("email", typed("email", { emails: " " }, everything), everything)).toEqual([
      { field: "emails", text: "Enter at least one address" },
    ]);
  });

  it("are a missing or malformed key of PagerDuty", () => {
    const keyProblems = (key: string, settings = nothing) =>
      texts(problemsOf("pagerduty", typed("pagerduty", { pagerduty_routing_key: key }), settings));
    expect(keyProblems("")).toEqual(["Enter the integration key"]);
    expect(keyProblems("", everything)).toEqual([]);
    expect(keyProblems("a key")).toEqual(["The integration key must be 32 letters and digits"]);
    expect(keyProblems("e93facc04764012d7bfb002500d5d1a6")).toEqual([]);
  });

  it.each(["ftp://example.com/x", "https://ada:secret@example.com/", "hooks.example.com"])(
    "name the rule that %s breaks",
    (text) => {
      expect(texts(problemsOf("webhook", typed("webhook", { webhook_url: text }), nothing))).toEqual([
        "The URL must be an http or https URL without a name and password in it",
      ]);
    },
  );

  it("name a secret of the wrong length, and each wrong address", () => {
    const problems = (secret: string) =>
      texts(problemsOf("webhook", typed("webhook", { webhook_url: url, webhook_secret: secret }), nothing));
    expect(problems("short")).toEqual(["The secret must be at least 16 characters long"]);
    expect(problems("x".repeat(201))).toEqual(["The secret must be at most 200 characters long"]);
    const emails = "ada@example.com bob carl@";
    expect(texts(problemsOf("email", typed("email", { emails }), nothing))).toEqual([
      "bob is not an email address",
      "carl@ is not an email address",
    ]);
    const many = Array.from({ length: 21 }, (_, index) => `p${index}@example.com`).join("\n");
    expect(texts(problemsOf("email", typed("email", { emails: many }), nothing))).toEqual([
      "Enter at most 20 addresses",
    ]);
  });
});

it("a channel is set up if it has an address, and says where it delivers to", () => {
  expect(alertChannels.filter((channel) => channelState(nothing, channel).is_set)).toEqual([]);
  expect(channels.filter((channel) => channelState(everything, channel).is_set)).toEqual(channels);
  expect(channels.map((channel) => targetText(channel, everything))).toEqual([
    "https://hooks.example.com/…, signed with a secret",
    "https://hooks.slack.com/…",
    "https://prod-01.westeurope.logic.azure.com/…",
    "Integration key, EU service region",
    "ada@example.com, bob@example.com",
  ]);
  const unreadable = { ...everything, webhook: { is_set: true, origin: null, is_signed: false } };
  expect(targetText("webhook", unreadable)).toBe("Unreadable stored address, not signed");
});
