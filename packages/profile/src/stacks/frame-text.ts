/** Characters of a frame without its names: its line and the ids under which it is stored. */
export const textPerFrame = 32;

/**
 * Characters of text of `count` distinct frames. Each frame is stored with its full names, even if many frames share them. `lengthOf`: of a frame's function name and file.
 */
export function frameText(count: number, lengthOf: (frame: number) => number): number {
  let text = textPerFrame * count;
  for (let frame = 0; frame < count; frame++) text += lengthOf(frame);
  return text;
}
