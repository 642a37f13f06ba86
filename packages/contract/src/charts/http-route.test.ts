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
  ["unknown route", "", "unknown route"],
  ["GET unknown route", "GET", "unknown route"],
  [
    'GET /"><img src=x onerror=alert(1)>{{7*7}}?a=b&c#d',
    "GET",
    '/"><img src=x onerror=alert(1)>{{7*7}}?a=b&c#d',
  ],
])("%j has the method %j and the path %j, and is written so again", (text, method, path) => {
  expect(httpRouteOf(text)).toEqual({ method, path });
  expect(httpRouteText({ method, path })).toBe(text);
});
