export { createApp } from "./app.ts";
export { type Config, readConfig } from "./context/config.ts";
export type { Actor, Context } from "./context/context.ts";
export { ConfigError } from "./context/environment.ts";
export { type OpenContext, openContext } from "./open-context.ts";
export { openLog } from "./open-log.ts";
