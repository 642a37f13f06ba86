import fc from "fast-check";
import { stacksFrom } from "./stacks-of.ts";

const frame = fc.constantFrom(
  "main",
  "handle",
  "net/http.(*conn).serve@server.go:12",
  "encode",
  "gc",
  "runtime.mallocgc",
);

/** Small profiles with shared prefixes, recursion, and now and then a negative or zero value. */
export const arbitraryStacks = fc
  .array(
    fc.record({
      frames: fc.array(frame, { minLength: 1, maxLength: 8 }),
      value: fc.oneof(
        { weight: 9, arbitrary: fc.nat(1000) },
        { weight: 1, arbitrary: fc.integer({ min: -50, max: 0 }) },
      ),
    }),
    { maxLength: 20 },
  )
  .map((rows) => stacksFrom(rows));
