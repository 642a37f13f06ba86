import { foldedLines } from "@flamekeep/flame";
import { pprofBytes, speedscopeJson, viewStacks } from "@flamekeep/flame/export";
import { type Picture, stacksOfPicture, tooLarge } from "./picture.ts";

/** Folded text can be far larger than the tree, because each line repeats its whole stack. */
const charactersMax = 256 * 2 ** 20;

/** One line for each stack; the lines of a comparison have the measured values before and after. */
export async function writeFolded(picture: Picture): Promise<Blob> {
  const { tree, focus, zoom } = await stacksOfPicture(picture);
  const parts: string[] = [];
  let length = 0;
  for (const line of foldedLines(tree, zoom, focus)) {
    length += line.length;
    if (length > charactersMax) throw new Error(tooLarge);
    parts.push(line);
  }
  return new Blob(parts, { type: "text/plain" });
}

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

export async function writeSpeedscope(picture: Picture): Promise<Blob> {
  const stacks = viewStacks(await stacksOfPicture(picture));
  if (stacks === undefined) throw new Error(tooLarge);
  return new Blob([speedscopeJson(stacks, picture.title)], { type: "application/json" });
}
