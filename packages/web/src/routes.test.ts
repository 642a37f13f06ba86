import { pagePaths } from "@flamekeep/contract";
import { expect, it } from "vitest";
import { router } from "./routes.tsx";

it("the router's paths are those for which the server answers the app", () => {
  const anyOther = "/$";
  const routes = Object.keys(router.routesByPath).filter((path) => path !== anyOther);
  expect(routes.map((path) => path.replace(/\$(\w+)/g, "{$1}")).sort()).toEqual([...pagePaths].sort());
});
