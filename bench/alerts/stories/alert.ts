import type { Alert as SeriesAlert } from "#watch";
import type { Signal } from "./story.ts";

export interface Alert extends SeriesAlert {
  readonly signal: Signal["name"];
}
