// The part that programs of operators share: their arguments, and how they end.
import process from "node:process";
import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { StoreRefused, StoreUnavailable } from "#store/unavailable.ts";
import { ConfigError } from "./context/environment.ts";

export interface Command {
  readonly usage: string;
  /** The fewest and the most arguments that are no options. */
  readonly count: readonly [number, number];
  readonly options?: ParseArgsOptionsConfig;
  run(args: readonly string[], options: Readonly<Record<string, unknown>>): Promise<void>;
}

/** Runs the command that the first argument of the process names. A fault that an operator corrects is one message, without a stack. */
export async function runCommand(commands: Readonly<Record<string, Command>>): Promise<void> {
  process.umask(0o077);
  const [name = "", ...given] = process.argv.slice(2);
  const command = commands[name]!;
  try {
    const { positionals, values } = parsed(command, given);
    if (values["help"] === true) console.log(command.usage);
    else await command.run(positionals, values);
  } catch (error) {
    const isExpected = [StoreRefused, StoreUnavailable, ConfigError].some((kind) => error instanceof kind);
    console.error(
      isExpected ? (error as Error).message : `The command ${name} failed: ${(error as Error).stack}`,
    );
    process.exitCode = 1;
  }
}

function parsed({ usage, count: [min, max], options = {} }: Command, args: string[]) {
  const help = { type: "boolean", short: "h" } as const;
  let found: ReturnType<typeof parseArgs>;
  try {
    found = parseArgs({ args, allowPositionals: true, options: { ...options, help } });
  } catch (cause) {
    throw new StoreRefused(`${(cause as Error).message}\n\n${usage}`);
  }
  const { length } = found.positionals;
  if (found.values["help"] !== true && (length < min || length > max)) throw new StoreRefused(usage);
  return found;
}
