// The server, restarted when its sources change, and Vite's dev server in front of it. Ctrl-C ends both.
import { spawn } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const server = ["--disable-warning=ExperimentalWarning", "--watch", "packages/server/src/main.ts"];
const children = [
  spawn(process.execPath, server, { cwd: root, stdio: "inherit" }),
  spawn(process.execPath, [`${root}node_modules/vite/bin/vite.js`], {
    cwd: `${root}packages/web`,
    stdio: "inherit",
  }),
];

let isStopping = false;
function stop(exitCode: number): void {
  if (isStopping) return;
  isStopping = true;
  process.exitCode = exitCode;
  for (const child of children) child.kill("SIGTERM");
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stop(0));
for (const child of children) child.once("exit", (code) => stop(code ?? 1));
