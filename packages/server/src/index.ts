export { createApp } from "./app.ts";
export { type Config, ConfigError, readConfig } from "./config.ts";
export type { Actor, Context } from "./context.ts";
export { type OpenContext, openContext } from "./open-context.ts";
