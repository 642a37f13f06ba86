import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { openSeal } from "./seal.ts";

const place = { orgId: "6f0e0c7e-8f4e-4a43-9c0a-3f1f9d1b7a10", field: "webhook_secret" };
const [key, otherKey] = [randomBytes(32), randomBytes(32)];
const text = "a secret with ümlauts 🔥";

it("decrypts what it encrypted, with a different ciphertext each time", () => {
  const seal = openSeal([key]);
  const sealed = [seal.seal(text, place), seal.seal(text, place)];
  expect(new Set(sealed).size).toBe(2);
  for (const each of sealed) {
    expect(each).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]+$/);
    expect(each).not.toContain("secret");
    expect(seal.open(each, place)).toEqual({ ok: true, text });
  }
  expect(seal.open(seal.seal("", place), place)).toEqual({ ok: true, text: "" });
});

it("does not decrypt for another organization, another field, another key, or after a change", () => {
  const seal = openSeal([key]);
  const sealed = seal.seal(text, place);
  const isChanged = { ok: false, reason: "changed" };
  const hasUnknownKey = { ok: false, reason: "unknown_key" };
  expect(seal.open(sealed, { ...place, orgId: "another" })).toEqual(isChanged);
  expect(seal.open(sealed, { ...place, field: "webhook_url" })).toEqual(isChanged);
  expect(openSeal([otherKey]).open(sealed, place)).toEqual(hasUnknownKey);
  const [version, keyId, encoded = ""] = sealed.split(".");
  for (let i = 0; i < encoded.length; i += 7) {
    const letter = encoded[i] === "A" ? "B" : "A";
    const changed = `${version}.${keyId}.${encoded.slice(0, i)}${letter}${encoded.slice(i + 1)}`;
    expect(seal.open(changed, place)).toEqual(isChanged);
  }
  for (const junk of [
    "",
    "v1",
    "v1..",
    `v1.${keyId}.`,
    `v1.${keyId}.AAAA`,
    `v2.${keyId}.${encoded}`,
    `v1.${keyId}.${encoded}.more`,
    "v1.00000000.AAAA",
    "plain text",
  ]) {
    expect(seal.open(junk, place)).toEqual(isChanged);
  }
});

it("decrypts with the former key, and reports that the text should be encrypted again", () => {
  const sealed = openSeal([otherKey]).seal(text, place);
  const seal = openSeal([key, otherKey]);
  expect(seal.open(sealed, place)).toEqual({ ok: true, text });
  expect(seal.isOutdated(sealed)).toBe(true);
  expect(seal.isOutdated(seal.seal(text, place))).toBe(false);
  expect(openSeal([key]).isOutdated(sealed)).toBe(false);
});
