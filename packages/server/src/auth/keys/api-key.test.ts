import { describe, expect, it } from "vitest";
import { generateApiKey, hashApiKey, isSameHash, parseApiKey } from "./api-key.ts";

describe("an API key", () => {
  it("has a public id and a prefix that parsing returns", () => {
    const { key, publicId, prefix, hash } = generateApiKey();
    expect(parseApiKey(key)).toEqual({ publicId, prefix });
    expect(hash).toBe(hashApiKey(key));
    expect(key.startsWith(prefix)).toBe(true);
  });

  it("is different each time", () => {
    expect(new Set(Array.from({ length: 200 }, () => generateApiKey().key)).size).toBe(200);
  });

  it("is not recognised if one character is changed, removed or added", () => {
    const { key } = generateApiKey();
    let looked = 0;
    for (let i = 0; i < key.length; i++) {
      const changed = key.slice(0, i) + (key[i] === "a" ? "b" : "a") + key.slice(i + 1);
      expect(parseApiKey(changed)).toBeUndefined();
      looked++;
    }
    expect(looked).toBe(64);
    for (const text of [key.slice(1), key.slice(0, -1), `${key}x`, ` ${key}`, "", "fk_"]) {
      expect(parseApiKey(text)).toBeUndefined();
    }
  });
});

describe("an API key in the form of Datadog's", () => {
  it("has 32 hexadecimal digits, and a public id that says nothing about them", () => {
    const { key, publicId, prefix, hash } = generateApiKey("datadog");
    expect(key).toMatch(/^[0-9a-f]{32}$/);
    expect(parseApiKey(key)).toEqual({ publicId, prefix });
    expect([hash, prefix, publicId]).toEqual([hashApiKey(key), key.slice(0, 4), hash.slice(0, 12)]);
    for (const text of [key.toUpperCase().replace(/^\d*$/, "F"), `${key}0`, key.slice(1)])
      expect(parseApiKey(text)).toBeUndefined();
  });
});

describe("hashes", () => {
  it("are the same only if every byte is the same", () => {
    const hash = hashApiKey("a");
    expect(isSameHash(hash, hash)).toBe(true);
    expect(isSameHash(hash, hashApiKey("b"))).toBe(false);
    expect(isSameHash(hash, hash.slice(2))).toBe(false);
    expect(isSameHash(hash, "")).toBe(false);
  });
});
