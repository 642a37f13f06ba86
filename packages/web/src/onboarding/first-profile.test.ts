import { describe, expect, it } from "vitest";
import { snippets } from "./first-profile.tsx";

const input = { origin: "https://flame.example.com", key: "fk_abc_secret", service: "checkout api" };
const codeOf = ({ parts }: ReturnType<typeof snippets>[number]) => parts.map(({ code }) => code).join("\n");

describe("snippets for the first profile", () => {
  it("contain the server, the key and the service, and nothing else to fill in", () => {
    const all = snippets(input);
    expect(all.map(({ id }) => id)).toEqual(["curl", "go-sdk", "go-pprof", "python", "node", "rust"]);
    for (const code of all.map(codeOf)) {
      expect(code).toContain(input.origin);
      expect(code).toContain(input.key);
      expect(code).toMatch(/checkout api|checkout%20api/);
      expect(code).not.toMatch(/localhost:4040|fk_\.\.\.|(env|getenv|environ).*FLAMEKEEP_KEY/i);
    }
  });

  it("quote service names", () => {
    const [curl, sdk] = snippets({ ...input, service: `it's "x"; rm -rf / $&` });
    expect(codeOf(curl!)).toContain("service=it%27s%20%22x%22%3B%20rm%20-rf%20%2F%20%24%26&type=cpu");
    expect(codeOf(sdk!)).toContain(String.raw`ApplicationName: "it's \"x\"; rm -rf / $&"`);
  });
});
