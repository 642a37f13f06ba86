import { describe, expect, it } from "vitest";
import { snippets } from "./snippets.ts";

const input = { origin: "https://flame.example.com", key: "fk_abc_secret", service: "checkout api" };

describe("snippets for the first profile", () => {
  it("contain the server, the key and the service", () => {
    const all = snippets(input);
    expect(all).toHaveLength(4);
    for (const { code } of all) {
      expect(code).toContain(input.origin);
      expect(code).toContain(input.key);
      expect(code).toMatch(/checkout api|checkout%20api/);
      expect(code).toMatch(/instance/);
    }
  });

  it("quote service names", () => {
    const [curl, sdk] = snippets({ ...input, service: `it's "x"; rm -rf /` });
    expect(curl?.code).toContain("service=it'\\''s%20%22x%22%3B%20rm%20-rf%20%2F&type=cpu'");
    expect(sdk?.code).toContain(String.raw`ApplicationName: "it's \"x\"; rm -rf /"`);
  });
});
