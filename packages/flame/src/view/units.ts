/** Pixels as CSS counts them: one may be several pixels of the screen. */
export type CssPixels = number;

/** A share of a whole, 0 .. 1. */
export type Fraction = number;

/** A share of a whole, 0 .. 100. */
export type Percent = number;
