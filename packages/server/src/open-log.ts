import { type Logger, pino } from "pino";
import type { Config, LogFormat } from "#config";

/** Logs go to the error stream, so that what is printed for people stays apart from them. */
const errorStream = 2;

/** Lines for people where one looks at the stream, JSON for programs. */
export async function openLog(
  { logLevel: level, logFormat }: Pick<Config, "logLevel" | "logFormat">,
  isTerminal: boolean,
): Promise<Logger> {
  if (!isForPeople(logFormat, isTerminal)) return pino({ level }, pino.destination(errorStream));
  // A server that runs unattended does without it.
  const { build } = await import("pino-pretty");
  const lines = build({
    destination: errorStream,
    // Without a thread in between: the last line before an exit is written too.
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
