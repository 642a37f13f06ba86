import { expect, it } from "vitest";
import { suggestionsFor } from "./page.tsx";

const pages = [
  { label: "Dashboard", description: "Overview and analytics", to: "/dashboard" },
  { label: "Profiles", description: "View all performance profiles", to: "/profiles" },
  { label: "Alerts", description: "Performance alerts", to: "/alerts" },
];
const labels = (path: string, services: readonly string[] = []) =>
  suggestionsFor(path, services, pages).map(({ label }) => label);

it("suggests pages with a misspelt or shortened name", () => {
  expect(labels("/dashbord")).toEqual(["Dashboard"]);
  expect(labels("/alert")).toEqual(["Alerts"]);
  expect(labels("/Profile/")).toEqual(["Profiles"]);
});

it("suggests services that the address names, also encoded ones, with a link that is encoded again", () => {
  expect(suggestionsFor("/service/check%2Fout", ["check/out", "search"], pages)).toEqual([
    { label: "check/out", detail: "Service", href: "/profiles/service/check%2Fout" },
  ]);
});

it("suggests the profile whose id the address contains", () => {
  const id = "3f9a1c07be52d8e4460b7c91691e9f40";
  expect(suggestionsFor(`/p/${id.toUpperCase()}`, [], pages)[0]?.href).toBe(`/profile/${id}`);
});

it("suggests the pages of the navigation if nothing is similar, and bears addresses that cannot be decoded", () => {
  expect(labels("/xyzzy")).toEqual(["Dashboard", "Profiles", "Alerts"]);
  expect(labels("/%E0%A4%A")).toEqual(["Dashboard", "Profiles", "Alerts"]);
});

it("suggests at most five", () => {
  const services = Array.from({ length: 20 }, (_, at) => `checkout-${at}`);
  expect(labels("/checkout", services)).toHaveLength(5);
});
