import type { createSharedLink, RequestOf } from "@flamekeep/contract";

/** A graph with every parameter, and the first view of it. */
export type Shared = Pick<RequestOf<typeof createSharedLink>["body"], "graph" | "look">;
