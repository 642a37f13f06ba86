import { afterEach, beforeEach, expect, it } from "vitest";
import { temporaryFolder } from "./testing/backends.ts";
import { endMove, moveInto, noteMove } from "./unfinished-move.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

it("a server does not start with a data folder whose move has not ended", async () => {
  await endMove(folder.path);
  await noteMove(folder.path, "begun");
  await expect(endMove(folder.path)).rejects.toThrow("Run `npm run move` again");
  expect(await moveInto(folder.path)).toBe("begun");
});

it("the first start after a move ends it, so that no further run replaces what people do", async () => {
  await noteMove(folder.path, "complete");
  expect(await moveInto(folder.path)).toBe("complete");
  await endMove(folder.path);
  expect(await moveInto(folder.path)).toBeUndefined();
});
