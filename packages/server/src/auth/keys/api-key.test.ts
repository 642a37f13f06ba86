import { describe, expect, it } from "vitest";
import { hashApiKey, isSameHash, newApiKey, parseApiKey } from "./api-key.ts";

describe("an API key", () => {
  it("is found again by its public part", () => {
    const { key, publicId, prefix, hash } = newApiKey();
    expect(parseApiKey(key)).toEqual({ publicId, prefix });
    expect(hash).toBe(hashApiKey(key));
    expect(key.startsWith(prefix)).toBe(true);
  });

  it("differs each time", () => {
    expect(new Set(Array.from({ length: 200 }, () => newApiKey().key)).size).toBe(200);
  });

  it("is not recognised with any one character changed, cut or added", () => {
    const { key } = newApiKey();
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

describe("hashes", () => {
  it("are the same only when all of them is", () => {
    const hash = hashApiKey("a");
    expect(isSameHash(hash, hash)).toBe(true);
    expect(isSameHash(hash, hashApiKey("b"))).toBe(false);
    expect(isSameHash(hash, hash.slice(2))).toBe(false);
    expect(isSameHash(hash, "")).toBe(false);
  });
});
