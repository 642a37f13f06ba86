export { createApp } from "./app.ts";
export { type Config, readConfig } from "./config.ts";
export type { Actor, Context } from "./context.ts";
export { ConfigError } from "./environment.ts";
export { type OpenContext, openContext } from "./open-context.ts";
export { openLog } from "./open-log.ts";
