import type { Frames } from "./engine/frames.ts";
import {
  collapse,
  collapseThrough,
  focus,
  hide,
  hideRuntime,
  ignore,
  invert,
  myCode,
  show,
} from "./kinds.ts";
import { functionsOf } from "./target.ts";
import type { Target, TargetKind, Transform, TransformName } from "./transform.ts";

/** `sandwich` is not among them: it makes two trees, and is therefore applied last. */
type TreeTransform = Exclude<TransformName, "sandwich">;

type Apply = (frames: Frames, isMember: Uint8Array | undefined) => Frames;

interface Kind {
  /** Kinds of targets; none if it takes none. */
  readonly by: readonly TargetKind[];
  /** Whether it also works without a target. */
  readonly isTargetOptional: boolean;
  readonly apply: Apply;
}

const all: readonly TargetKind[] = ["function", "package", "module", "search"];

const forTarget = (apply: (frames: Frames, isMember: Uint8Array) => Frames): Kind => ({
  by: all,
  isTargetOptional: false,
  apply: (frames, isMember) => (isMember === undefined ? frames : apply(frames, isMember)),
});

const withoutTarget = (apply: (frames: Frames) => Frames): Kind => ({
  by: [],
  isTargetOptional: true,
  apply,
});

const kinds: Readonly<Record<TreeTransform, Kind>> = {
  focus: forTarget(focus),
  ignore: forTarget(ignore),
  hide: forTarget(hide),
  show: forTarget(show),
  collapse: {
    by: ["function"],
    isTargetOptional: true,
    apply: (frames, isMember) =>
      isMember === undefined ? collapse(frames) : collapseThrough(frames, isMember),
  },
  "hide-runtime": withoutTarget(hideRuntime),
  "my-code": withoutTarget(myCode),
  invert: withoutTarget(invert),
};

/** Whether a transform has a target where it needs one, of a kind that it takes. */
export function isComplete(name: TransformName, target: Target | undefined): boolean {
  if (name === "sandwich") return target?.by === "function";
  const { by, isTargetOptional } = kinds[name];
  return target === undefined ? isTargetOptional : by.includes(target.by);
}

/** The frames after one step. The same frames if nothing changes. */
export function applyTransform(frames: Frames, { name, target }: Transform): Frames {
  if (name === "sandwich") return frames;
  return kinds[name].apply(frames, target && functionsOf(frames.functions, target));
}
