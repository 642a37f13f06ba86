import { type Logger, pino } from "pino";
import type { Config, LogFormat } from "#config";

/** Logs go to the error stream, apart from the messages that are printed for people. */
const errorStream = 2;

/** Opens the log: readable lines for a terminal, JSON for programs. */
export async function openLog(
  { logLevel: level, logFormat }: Pick<Config, "logLevel" | "logFormat">,
  isTerminal: boolean,
): Promise<Logger> {
  if (!isForPeople(logFormat, isTerminal)) return pino({ level }, pino.destination(errorStream));
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
  return pino({ level }, lines);
}

export function isForPeople(format: LogFormat, isTerminal: boolean): boolean {
  return format === "auto" ? isTerminal : format === "pretty";
}
