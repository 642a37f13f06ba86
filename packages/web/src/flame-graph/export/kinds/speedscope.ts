import { speedscopeJson, viewStacks } from "@flamekeep/flame/export";
import { type Picture, stacksOfPicture, tooLarge } from "./picture.ts";

export async function writeSpeedscope(picture: Picture): Promise<Blob> {
  const stacks = viewStacks(await stacksOfPicture(picture));
  if (stacks === undefined) throw new Error(tooLarge);
  return new Blob([speedscopeJson(stacks, picture.title)], { type: "application/json" });
}
