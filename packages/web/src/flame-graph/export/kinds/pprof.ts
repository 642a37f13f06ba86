import { pprofBytes, viewStacks } from "@flamekeep/flame/export";
import { type Picture, stacksOfPicture, tooLarge } from "./picture.ts";

/** A profile of the stacks on screen, with the names and lines that they are stored with: for `go tool pprof` and optimizing compilers. */
export async function writePprof(picture: Picture): Promise<Blob> {
  const [view, stored] = await Promise.all([stacksOfPicture(picture), picture.stored?.()]);
  const stacks = viewStacks(view, stored);
  if (stacks === undefined) throw new Error(tooLarge);
  if (stacks.length === 0) throw new Error("The graph has changed since it was loaded: refresh it first");
  const compressed = new Blob([pprofBytes(stacks, picture.title)])
    .stream()
    .pipeThrough(new CompressionStream("gzip"));
  return new Blob([await new Response(compressed).arrayBuffer()], { type: "application/octet-stream" });
}
