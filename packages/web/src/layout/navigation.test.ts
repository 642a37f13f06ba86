import { expect, it } from "vitest";
import { router } from "../routes.tsx";
import { navigationOf, pageAt } from "./navigation.ts";

const groups = navigationOf(router);

function currentAt(pathname: string): string[] {
  const { section } = pageAt(router, pathname);
  return groups
    .flatMap((group) => group.items)
    .filter((item) => item.to === section)
    .map((item) => item.label);
}

it("lists the pages by group in the order of the route table", () => {
  const items = groups.flatMap(({ label, items }) => items.map(({ to }) => `${label} ${to}`));
  const expected = [
    "Profiling /dashboard",
    "Profiling /profiles",
    "Management /alerts",
    "Management /projects",
    "Management /senders",
    "Management /settings",
  ];
  expect(items.filter((item) => expected.includes(item))).toEqual(expected);
});

it("highlights exactly the item a path belongs to", () => {
  expect(currentAt("/dashboard")).toEqual(["Dashboard"]);
  expect(currentAt("/profiles/service/checkout/cpu")).toEqual(["Profiles"]);
  expect(currentAt("/profile/3f2a91bc")).toEqual(["Profiles"]);
  expect(currentAt("/cpu-profiles")).toEqual(["Profiles"]);
  expect(currentAt("/projects/checkout")).toEqual(["Projects"]);
  expect(currentAt("/projects/checkout/route")).toEqual(["Profiles"]);
  expect(currentAt("/profilesque")).toEqual([]);
});

it("titles the paths that have a title, with or without a closing slash", () => {
  expect(pageAt(router, "/profiles/")).toMatchObject({
    title: "All Profiles",
    subtitle: "Comprehensive profiling data",
  });
  expect(pageAt(router, "/goroutine-profiles").title).toBe("Goroutine Profiles");
  expect([pageAt(router, "/").title, pageAt(router, "/profile/3f2a91bc").title]).toEqual([
    undefined,
    undefined,
  ]);
});
