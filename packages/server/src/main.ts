import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

// Loading our modules takes half the CPU time with the cache (measured: 700 ms without, 325 ms with). It must be on
// before anything is imported, hence this file. Where the folder cannot be written, Node goes on without.
enableCompileCache(fileURLToPath(new URL("../../../node_modules/.cache/flamekeep", import.meta.url)));

const { start } = await import("./start.ts");
await start();
