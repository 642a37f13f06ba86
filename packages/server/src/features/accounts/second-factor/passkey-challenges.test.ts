import { expect, it } from "vitest";
import { relyingPartyOf } from "#accounts/second-factor/passkey-challenges.ts";

it.each([
  ["https://profiles.example.com", { id: "profiles.example.com", origin: "https://profiles.example.com" }],
  ["https://example.com:8443/flamekeep", { id: "example.com", origin: "https://example.com:8443" }],
  ["http://localhost:4040", { id: "localhost", origin: "http://localhost:4040" }],
  ["http://profiles.example.com", undefined],
  ["http://127.0.0.1:4040", undefined],
  ["https://192.0.2.1", undefined],
  ["https://[2001:db8::1]", undefined],
])("of %s is the host and origin, where browsers allow passkeys", (publicUrl, party) => {
  expect(relyingPartyOf({ publicUrl })).toEqual(party);
});
