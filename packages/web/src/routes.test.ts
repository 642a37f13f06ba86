import { expect, it } from "vitest";
import { pages } from "./routes.tsx";

const paths = pages.map(({ path }) => path);

it("lists the paths at which the server answers the app", () => {
  expect(paths).toEqual(
    expect.arrayContaining([
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
      "/open",
      "/shared/{token}",
    ]),
  );
});

it("lists each path once, with parameters in braces and without the path of unknown pages", () => {
  expect(new Set(paths).size).toBe(paths.length);
  expect(paths.filter((path) => path.includes("$") || path.includes("*"))).toEqual([]);
});
