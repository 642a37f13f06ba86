// `flamekeep health`: whether the server of this container or machine is ready, for health checks that run a command. It imports no
// other module, because it runs every few seconds. Arguments: the server's HOST and PORT.
import process from "node:process";

const [host = "", port = ""] = process.argv.slice(2);
const isAny = host === "0.0.0.0" || host === "::";
const name = isAny ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
const url = `http://${name}:${port}/readyz`;

try {
  const reply = await fetch(url, { signal: AbortSignal.timeout(5000) });
  if (!reply.ok) console.error(`${url} answered ${reply.status}: ${await reply.text()}`);
  process.exitCode = reply.ok ? 0 : 1;
} catch (cause) {
  console.error(`${url} does not answer: ${(cause as Error).message}`);
  process.exitCode = 1;
}
