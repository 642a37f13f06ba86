import { stacksOf } from "@flamekeep/profile/testing";
import { describe, expect, it } from "vitest";
import { ownFunction, waitsOf } from "./attribute.ts";

const sampleTypes = ["route/nanoseconds", "all/nanoseconds"];
const own = (picture: string) => ownFunction(stacksOf(picture, { sampleTypes }));

describe("the function that only a route runs", () => {
  it("is the outermost one outside of the standard library", () => {
    const picture = `
      net/http.serve  net/http.serve  net/http.serve
      app.route       app.route       app.route
      app.cart        app.cart        app.order
      app.price       app.read        app.price
      60,60           40,40           0,900`;
    expect(own(picture)).toBe("app.cart");
  });

  it("may have a few samples without the label, and miss a few with it", () => {
    expect(own("app.cart app.cart app.gc\n90,90 0,4 10,10")).toBe("app.cart");
    expect(own("app.cart app.cart app.gc\n90,90 0,6 10,10")).toBeUndefined();
    expect(own("app.cart app.gc\n79,79 21,90")).toBeUndefined();
  });

  it("is counted once for a stack in which it calls itself", () => {
    const picture = `
      app.walk  app.other
      app.walk  app.walk
      10,10     0,10`;
    expect(own(picture)).toBeUndefined();
  });

  it("does not exist without samples of the route", () => {
    expect(own("app.cart\n0,90")).toBeUndefined();
    expect(ownFunction(stacksOf("app.cart\n90"))).toBeUndefined();
  });
});

describe("waits", () => {
  const stacks = stacksOf(
    `
      app.cart            app.cart               app.order           app.cart
      app.reserve         app.fan                app.reserve         app.collect
      sync.(*Mutex).Lock  sync.(*WaitGroup).Wait sync.(*Mutex).Lock  runtime.chanrecv1
      5                   7                      100                 11`,
    { sampleTypes: ["delay/nanoseconds"] },
  );

  it("through a function are for locks and for everything else", () => {
    expect(waitsOf(stacks, "block", "app.cart")).toEqual({ lockNs: 5, otherNs: 18 });
    expect(waitsOf(stacks, "block", "app.order")).toEqual({ lockNs: 100, otherNs: 0 });
    expect(waitsOf(stacks, "block", "app.nowhere")).toEqual({ lockNs: 0, otherNs: 0 });
  });

  it("of a mutex profile are for locks, whatever its stacks end with", () => {
    expect(waitsOf(stacks, "mutex")).toEqual({ lockNs: 123, otherNs: 0 });
    expect(waitsOf(stacks, "block")).toEqual({ lockNs: 105, otherNs: 18 });
  });
});
