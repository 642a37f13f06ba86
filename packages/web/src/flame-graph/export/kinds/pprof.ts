import { pprofBytes, viewStacks } from "@flamekeep/flame/export";
import { type Picture, stacksOfPicture, tooLarge } from "#flame-graph/export/picture.ts";

/** A profile of the stacks on screen, for `go tool pprof`. */
export async function writePprof(picture: Picture): Promise<Blob> {
  const stacks = viewStacks(await stacksOfPicture(picture));
  if (stacks === undefined) throw new Error(tooLarge);
  const compressed = new Blob([pprofBytes(stacks, picture.title)])
    .stream()
    .pipeThrough(new CompressionStream("gzip"));
  return new Blob([await new Response(compressed).arrayBuffer()], { type: "application/octet-stream" });
}
