import { profileTypes as typesInCalls } from "@flamekeep/contract";
import { profileTypes } from "@flamekeep/profile";
import { expect, it } from "vitest";

it("the contract and the reader of profiles know the same types in the same order", () => {
  expect(profileTypes).toEqual(typesInCalls);
});
