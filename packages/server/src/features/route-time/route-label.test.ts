import { describe, expect, it } from "vitest";
import { routeLabel } from "./route-label.ts";

const cart = { method: "GET", path: "/cart/{id}" };
const label = (name: string, ...values: string[]) => ({ name, values });

describe("the label of a route", () => {
  it.each([
    ["GET /cart/{id}", "GET"],
    ["get /cart/{id}", "GET"],
    ["/cart/{id}", ""],
    ["/cart/:id", ""],
    ["/cart/<int:id>", ""],
    ["/cart/[id]", ""],
    ["/cart/*", ""],
    ["/cart/{cart}/", ""],
    ["GET /cart/{$}", undefined],
    ["POST /cart/{id}", undefined],
    ["/cart", undefined],
    ["/cart/{id}/items", undefined],
    ["/cart/id", undefined],
    ["GET", undefined],
    ["", undefined],
  ])("with the value %j has the method %j", (value, method) => {
    const found = routeLabel([label("handler", value)], cart);
    expect(found).toEqual(method === undefined ? undefined : { name: "handler", value, method });
  });

  it("is the one with a usual name, then the one with the most", () => {
    const labels = [
      label("tenant", "/cart/{id}"),
      label("handler", "/cart/{id}"),
      label("http.route", "/cart/{id}"),
    ];
    expect(routeLabel(labels, cart)?.name).toBe("http.route");
    expect(routeLabel(labels.slice(0, 2), cart)?.name).toBe("handler");
    expect(routeLabel(labels.slice(0, 1), cart)?.name).toBe("tenant");
    expect(routeLabel([label("route", "/other"), label("step", "GET /cart/{id}")], cart)?.name).toBe("step");
  });

  it.each([
    [["/cart/:id", "GET /cart/:id"], "GET /cart/:id"],
    [["GET /cart/:id", "/cart/{id}"], "/cart/{id}"],
    [["/cart/{id}", "GET /cart/{id}"], "GET /cart/{id}"],
    [["/cart/:a", "/cart/:b"], "/cart/:a"],
  ])("of %j is %j, which is most like the route", (values, best) => {
    expect(routeLabel([label("route", ...values)], cart)?.value).toBe(best);
  });

  it("gives a route without a method the method of its value", () => {
    const anyMethod = { ...cart, method: "" };
    expect(routeLabel([label("route", "POST /cart/{id}")], anyMethod)?.method).toBe("POST");
    expect(routeLabel([label("route", "/cart/{id}")], anyMethod)?.method).toBe("");
  });

  it("is the one that a caller names, whatever its value", () => {
    const labels = [label("handler", "/cart/{id}"), label("operation", "getCart")];
    expect(routeLabel(labels, cart, { name: "operation" })).toBeUndefined();
    const named = { name: "operation", value: "getCart" };
    expect(routeLabel(labels, cart, named)).toEqual({ ...named, method: "GET" });
    expect(routeLabel(labels, cart, { name: "handler", value: "/cart/{id}" })?.method).toBe("");
  });

  it("is found in the root, and in long and hostile values at once", () => {
    expect(routeLabel([label("route", "GET /{$}")], { method: "GET", path: "/" })?.value).toBe("GET /{$}");
    const long = `/${"{".repeat(50_000)}`;
    expect(routeLabel([label("route", long)], { method: "GET", path: long })?.value).toBe(long);
    expect(routeLabel([label("route", "\n", "GET \n/cart")], cart)).toBeUndefined();
  });
});
