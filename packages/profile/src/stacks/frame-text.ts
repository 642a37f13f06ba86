/** Characters of a frame without its names: its line and the ids under which it is stored. */
export const textPerFrame = 32;

/**
 * How much text `count` distinct frames are, in characters. Each is stored with its names in full, however few the strings
 * are that they share. `lengthOf`: of a frame's function name and file.
 */
export function frameText(count: number, lengthOf: (frame: number) => number): number {
  let text = textPerFrame * count;
  for (let frame = 0; frame < count; frame++) text += lengthOf(frame);
  return text;
}
