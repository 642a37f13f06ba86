import { unprocessable } from "#failure";
import { unreadableLabelsText } from "#stacks/labelled-profile.ts";
import { unknownFrameText } from "./unknown-frame.ts";

export const noStacks = "A batch of HTTP metrics has no stacks, so it has no flame graph";

/** Turns the errors by which drawing reports an unknown `root` or unreadable labels into `unprocessable`. */
export async function orUnprocessable<T>(root: string | undefined, drawing: Promise<T>): Promise<T> {
  try {
    return await drawing;
  } catch (error) {
    if (error instanceof RangeError && error.message === unreadableLabelsText)
      throw unprocessable(unreadableLabelsText);
    if (root === undefined || !(error instanceof RangeError)) throw error;
    const text = unknownFrameText(root);
    throw error.message === text ? unprocessable(text) : error;
  }
}
