import { describe, expect, it } from "vitest";
import { type WayToSend, waysToSend } from "./ways-to-send.ts";

const input = {
  origin: "https://flame.example.com",
  key: "fk_abc_secret",
  datadogKey: "0123456789abcdef0123456789abcdef",
  service: "checkout api",
};
const codeOf = ({ parts }: WayToSend) => parts.map(({ code }) => code).join("\n");
const wayOf = (languages: ReturnType<typeof waysToSend>, language: string, way = 0) =>
  languages.find(({ label }) => label === language)!.ways[way]!;

describe("ways to send the first profile", () => {
  it("contain the server, the key and the service, and nothing else to fill in", () => {
    let looked = 0;
    for (const { ways } of waysToSend(input)) {
      for (const way of ways) {
        const code = codeOf(way);
        expect(code, way.label).toContain(input.origin);
        expect(code, way.label).not.toMatch(
          /localhost:4040|fk_\.\.\.|fk_datadog|(getenv|environ|fetch)\W+FLAMEKEEP_KEY/i,
        );
        looked++;
        // A Secret has the key, and each program sends its name.
        if (way.label === "eBPF on Kubernetes") continue;
        expect(code, way.label).toContain(way.needsDatadogKey ? input.datadogKey : input.key);
        if (way.label !== "Collector") expect(code, way.label).toMatch(/checkout api|checkout%20api/);
      }
    }
    expect(looked).toBeGreaterThan(15);
  });

  it("say which of them nobody has run", () => {
    const notRun = waysToSend(input).flatMap(({ label, ways }) =>
      ways.some(({ isRun }) => !isRun) ? [label] : [],
    );
    expect(notRun).toEqual(["Ruby", ".NET", "OpenTelemetry"]);
  });

  it("quote service names", () => {
    const all = waysToSend({ ...input, service: `it's "x"; rm -rf / $&` });
    expect(codeOf(wayOf(all, "Other"))).toContain(
      "service=it%27s%20%22x%22%3B%20rm%20-rf%20%2F%20%24%26&type=cpu",
    );
    expect(codeOf(wayOf(all, "Go"))).toContain(String.raw`ApplicationName: "it's \"x\"; rm -rf / $&"`);
    expect(codeOf(wayOf(all, ".NET"))).toContain(String.raw`APPLICATION_NAME='it'\''s "x"; rm -rf / $&'`);
  });
});
