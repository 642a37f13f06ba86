import { expect, it } from "vitest";
import { httpRouteOf, httpRouteText } from "./http-route.ts";

it.each([
  ["GET /orders/{id}", "GET", "/orders/{id}"],
  ["/orders/{id}", "", "/orders/{id}"],
  ["M-SEARCH *", "M-SEARCH", "*"],
  ["/a b", "", "/a b"],
  ["GET /a b", "GET", "/a b"],
  ["POST shop.Cart/Add", "POST", "shop.Cart/Add"],
  ["shop.Cart/Add", "", "shop.Cart/Add"],
  ["/orders", "", "/orders"],
])("%j has the method %j and the path %j, and is written so again", (text, method, path) => {
  expect(httpRouteOf(text)).toEqual({ method, path });
  expect(httpRouteText({ method, path })).toBe(text);
});
