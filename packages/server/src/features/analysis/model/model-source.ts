import type { LanguageModel } from "ai";
import type { CallOptions } from "./call-model.ts";

export interface ModelSource {
  open(): Promise<LanguageModel>;
  /** Replaced in tests. */
  readonly call?: Omit<CallOptions, "signal">;
}
