/** `relative` compares shares of each side's total, `absolute` values by a normalisation. */
export const comparisonModes = ["relative", "absolute"] as const;
export type ComparisonMode = (typeof comparisonModes)[number];
