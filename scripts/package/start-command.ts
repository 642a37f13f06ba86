/** Where the folder has Node's compiled modules: written once while the folder is made, and read at each start. */
export const compiledFolder = "compiled";

/** The parts of the command that `npm start` has too. */
interface ServerProcess {
  /** Arguments of Node. */
  readonly flags: readonly string[];
  /** Variables of the C library's allocator. */
  readonly memory: Readonly<Record<string, string>>;
  /** Programs of operators in `packages/server/src`, by command. */
  readonly programs: Readonly<Record<string, string>>;
}

/**
 * The text of `bin/flamekeep`. Each command replaces the shell, so that one process is left, which gets all signals. The files of a folder
 * belong to somebody else than the user of the server, hence no part is written at a start.
 */
export function startCommand({ flags, memory, programs }: ServerProcess): string {
  const defaults = { ...memory, NODE_COMPILE_CACHE: `$home/${compiledFolder}` };
  const exports = Object.entries(defaults).map(([name, value]) => `export ${name}="\${${name}:-${value}}"`);
  const names = Object.keys(programs);
  const cases = Object.entries(programs).map(
    ([name, program]) => `  ${name}) exec "$node" "$server/${program}" "$@" ;;`,
  );
  return `#!/bin/sh
# flamekeep [start]  runs the server. Its settings are environment variables: docs/operate/settings.md
# flamekeep health   exits with 0 if the server at HOST and PORT is ready
# flamekeep COMMAND  runs a command for the data folder: ${names.join(", ")}
set -eu
home=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
node=$home/bin/node
server=$home/packages/server/src
${exports.join("\n")}
case "\${1:-start}" in
  start) exec "$node" ${flags.join(" ")} "$server/main.ts" ;;
  health) exec "$node" "$server/check-health.ts" "\${HOST:-127.0.0.1}" "\${PORT:-4040}" ;;
${cases.join("\n")}
  *)
    echo "flamekeep: there is no command $1. Commands: start, health, ${names.join(", ")}." >&2
    exit 64
    ;;
esac
`;
}
