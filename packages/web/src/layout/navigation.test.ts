import { expect, it } from "vitest";
import { isCurrent, navigation, pageTitle } from "./navigation.ts";

function currentAt(pathname: string): string[] {
  return navigation
    .flatMap((group) => group.items)
    .filter((item) => isCurrent(item, pathname))
    .map((item) => item.label);
}

it("highlights exactly the item a path belongs to", () => {
  expect(currentAt("/dashboard")).toEqual(["Dashboard"]);
  expect(currentAt("/profiles/service/checkout/cpu")).toEqual(["Profiles"]);
  expect(currentAt("/profile/3f2a91bc")).toEqual(["Profiles"]);
  expect(currentAt("/cpu-profiles")).toEqual(["Profiles"]);
  expect(currentAt("/profilesque")).toEqual([]);
});

it("titles the paths that have a title, with or without a closing slash", () => {
  expect(pageTitle("/profiles/")).toEqual({
    title: "All Profiles",
    subtitle: "Comprehensive profiling data",
  });
  expect(pageTitle("/goroutine-profiles")?.title).toBe("Goroutine Profiles");
  expect([pageTitle("/"), pageTitle("/profile/3f2a91bc")]).toEqual([undefined, undefined]);
});
