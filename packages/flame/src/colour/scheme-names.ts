/** Apart from the colours, which pages need later than the state of the view. */
export const schemes = ["heat", "cool", "viridis", "plasma", "package", "subsystem"] as const;

export type Scheme = (typeof schemes)[number];
