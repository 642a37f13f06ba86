import { expect, it } from "vitest";
import { functions } from "./match.ts";

it("matches each alternative of a pattern, whole or as a beginning, and the literals of whole names", () => {
  const match = functions("sync.(*{Map,Pool}).{Get,Swap*}", "time.Now");
  const matching = ["sync.(*Map).Get", "sync.(*Pool).Get.func1", "sync.(*Pool).SwapAll", "time.Now"];
  const others = ["sync.(*Map).Getter", "sync.(*Cond).Get", "sync.(*{Map,Pool}).Get", "time.Nowhere"];
  expect([...matching, ...others].filter(match)).toEqual(matching);
});
