import { type FrameRule, frameRule } from "#rules/frame-rule.ts";
import { inFiles } from "#rules/match.ts";
import type { Rule } from "#rules/rule.ts";

/** Loading a module reads and compiles it; that is the start of a program, or it is kept. */
export const loading = inFiles("node:internal/modules/", "node:internal/bootstrap/", "source-map-support/");
export const consoles = inFiles("node:internal/console/", "#log info warn error debug");
export const loggers = inFiles(
  "winston/",
  "logform/",
  "pino/",
  "bunyan/",
  "log4js/",
  "debug/src/",
  "loglevel/",
  "signale/",
  "roarr/",
);

/** A rule about Node, whose profilers measure wall time: CPU time, except for the time without work. */
export function nodeRule(definition: FrameRule): Rule {
  return frameRule({ except: loading, types: ["cpu", "custom"], ...definition });
}
