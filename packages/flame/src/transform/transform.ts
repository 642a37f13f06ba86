/** The functions of a transform are chosen by one name, a package with those below it, a module, or text that a search finds. */
export const targetKinds = ["function", "package", "module", "search"] as const;

export type TargetKind = (typeof targetKinds)[number];

export interface Target {
  readonly by: TargetKind;
  readonly text: string;
}

export const transformNames = [
  "focus",
  "ignore",
  "hide",
  "show",
  "collapse",
  "hide-runtime",
  "my-code",
  "invert",
  "sandwich",
] as const;

export type TransformName = (typeof transformNames)[number];

/** One step of a chain. */
export interface Transform {
  readonly name: TransformName;
  /** For the transforms that need one. */
  readonly target?: Target;
}
