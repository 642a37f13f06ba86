import { foldedLines } from "@flamekeep/flame";
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
