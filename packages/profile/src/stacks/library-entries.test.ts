import { expect, it } from "vitest";
import { stacksOf } from "../testing/index.ts";
import { LibraryEntries } from "./library-entries.ts";

/** The entries of each stack of a picture. */
function entriesOf(picture: string): string[][] {
  const stacks = stacksOf(picture);
  const entries = new LibraryEntries(stacks);
  return Array.from({ length: stacks.length }, (_, stack) =>
    entries.of(stack).map((frame) => stacks.frames.functionName[frame]),
  ).sort();
}

it("enters a library where the service's code or another library calls it", () => {
  const picture = `
    runtime.goexit
    net/http.(*conn).serve
    main.render
    github.com/gin-gonic/gin.(*Context).JSON
    encoding/json.Marshal
    encoding/json.valueEncoder
    reflect.Value.Field
    runtime.mallocgc
    internal/runtime/maps.grow
    1`;
  expect(entriesOf(picture)).toEqual([
    [
      "github.com/gin-gonic/gin.(*Context).JSON",
      "encoding/json.Marshal",
      "reflect.Value.Field",
      "runtime.mallocgc",
    ],
  ]);
});

it("leaves out libraries that call the service's code", () => {
  const picture = `
    runtime.main
    main.main
    encoding/json.Marshal
    shop/cart.(*Cart).MarshalJSON
    strconv.AppendInt
    1`;
  expect(entriesOf(picture)).toEqual([["strconv.AppendInt"]]);
});

it("counts a stack without code of the service from its root", () => {
  const picture = `
    runtime.systemstack     runtime.goexit
    runtime.gcBgMarkWorker  net/http.(*conn).serve
    runtime.gcDrain         bufio.(*Reader).Peek
    2                       3`;
  expect(entriesOf(picture)).toEqual([
    ["net/http.(*conn).serve", "bufio.(*Reader).Peek"],
    ["runtime.gcBgMarkWorker"],
  ]);
});

it("leaves the scheduler out, with everything it calls", () => {
  const picture = `
    runtime.mcall         runtime.mstart        runtime.mcall     main.wait
    runtime.park_m        runtime.mstart1       runtime.goexit0   time.Sleep
    runtime.schedule      runtime.schedule      runtime.gdestroy  runtime.newstack
    runtime.findRunnable  runtime.findRunnable  _                 runtime.gopreempt_m
    runtime.netpoll       runtime.stealWork     _                 runtime.schedule
    5                     4                     3                 2`;
  expect(entriesOf(picture)).toEqual([[], [], [], ["time.Sleep", "runtime.newstack"]]);
});

it("enters a package once, at its first frame", () => {
  const picture = `
    main.main
    sort.Slice
    encoding/json.typeFields
    sort.insertion
    1`;
  expect(entriesOf(picture)).toEqual([["sort.Slice", "encoding/json.typeFields"]]);
});

it("takes the folder for the package where names have none", () => {
  const picture = `
    handle@/srv/app/main.py:1
    dumps@/usr/lib/python3.12/json/__init__.py:10
    encode@/usr/lib/python3.12/json/encoder.py:20
    1`;
  expect(entriesOf(picture)).toEqual([["dumps"]]);
});
