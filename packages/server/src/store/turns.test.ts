import { expect, it } from "vitest";
import { Turns } from "./turns.ts";

it("runs one operation at a time, and says whether others wait for it", async () => {
  const turns = new Turns();
  const seen: unknown[] = [];
  const see = () => void seen.push([turns.isFree, turns.isWaitedFor]);
  const failing = turns.run(async () => {
    see();
    await Promise.resolve();
    throw new Error("first");
  });
  see();
  const next = turns.run(async () => see());
  await expect(failing).rejects.toThrow("first");
  await next;
  see();
  // Alone, with one behind it, that one alone, and nobody.
  expect(seen).toEqual([
    [false, false],
    [false, true],
    [false, false],
    [true, false],
  ]);
});
