import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The project's root folder. */
export const root = fileURLToPath(new URL("../..", import.meta.url));

/** @param {string[]} parts */
export const inRoot = (...parts) => join(root, ...parts);

/** Logs and fingerprints of finished steps; may be deleted at any time. */
export const cache = inRoot(".cache");
