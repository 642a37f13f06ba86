/** In a separate file, because the state of the view needs the names before a page loads the colours. */
export const schemes = ["heat", "cool", "viridis", "plasma", "package", "subsystem", "language"] as const;

export type Scheme = (typeof schemes)[number];

export type Theme = "light" | "dark";
