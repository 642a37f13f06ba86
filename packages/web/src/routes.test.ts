import { expect, it } from "vitest";
import { pages } from "./routes.tsx";

it("lists the paths at which the server answers the app", () => {
  expect(pages.map(({ path }) => path).sort()).toEqual(
    [
      "/",
      "/login",
      "/register",
      "/forgot-password",
      "/dashboard",
      "/profiles",
      "/profiles/{type}",
      "/profiles/service",
      "/profiles/service/{serviceName}",
      "/profiles/service/{serviceName}/{type}",
      "/profile/{profileId}",
      "/cpu-profiles",
      "/memory-profiles",
      "/goroutine-profiles",
      "/alerts",
      "/projects",
      "/settings",
    ].sort(),
  );
});
