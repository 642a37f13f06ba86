import { truncatedName } from "@flamekeep/profile";
import { subsystemOf } from "#colour/subsystem.ts";
import type { Frames } from "#transform/engine/frames.ts";
import { hide, show } from "./hide.ts";

/** Without the frames of the language's runtime, for example of its memory management. */
export function hideRuntime(frames: Frames): Frames {
  return hide(frames, inSubsystem(frames, "runtime"));
}

/** Only the frames of the program itself: neither the standard library nor third-party libraries. */
export function myCode(frames: Frames): Frames {
  return show(frames, inSubsystem(frames, "application"));
}

function inSubsystem({ functions }: Frames, subsystem: "runtime" | "application"): Uint8Array {
  const { length, name, packageName, file } = functions;
  return Uint8Array.from({ length }, (_, fn) =>
    Number(fn > 0 && name[fn] !== truncatedName && subsystemOf(packageName[fn], file[fn]) === subsystem),
  );
}
