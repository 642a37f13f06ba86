import { type Logger, pino } from "pino";
import type { Config, LogFormat } from "#config";
import { traceField } from "#telemetry/trace-context.ts";

/** Logs go to the error stream, apart from the messages that are printed for people. */
const errorStream = 2;

/** Opens the log: readable lines for a terminal, JSON for programs. */
export async function openLog(
  {
    logLevel: level,
    logFormat,
    traces,
  }: Pick<Config, "logLevel" | "logFormat"> & Partial<Pick<Config, "traces">>,
  isTerminal: boolean,
): Promise<Logger> {
  const options = traces === undefined ? { level } : { level, mixin: () => traceField() };
  if (!isForPeople(logFormat, isTerminal)) return pino(options, pino.destination(errorStream));
  // Imported only here, because a server without a terminal does not need it.
  const { build } = await import("pino-pretty");
  const lines = build({
    destination: errorStream,
    // Synchronous, so that the last line before an exit is written too.
    sync: true,
    colorize: isTerminal,
    translateTime: "SYS:HH:MM:ss",
    ignore: "pid,hostname",
    singleLine: true,
  });
  return pino(options, lines);
}

export function isForPeople(format: LogFormat, isTerminal: boolean): boolean {
  return format === "auto" ? isTerminal : format === "pretty";
}
