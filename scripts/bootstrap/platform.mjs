import process from "node:process";
import { Stop } from "./say.mjs";

/** True on Linux systems without glibc, such as Alpine. */
export function isMusl() {
  if (process.platform !== "linux" || !process.report) return false;
  // Without the first assignment the report resolves the names of all open connections, which can take seconds.
  const report = Object.assign(process.report, { excludeNetwork: true }).getReport();
  const { header } = /** @type {{ header?: { glibcVersionRuntime?: string } }} */ (report);
  return header?.glibcVersionRuntime === undefined;
}

/** The embedded column store exists for Linux with glibc and for macOS; elsewhere a ClickHouse is needed. */
export function checkPlatform() {
  if (process.env.CLICKHOUSE_URL) return;
  const remedy =
    "set CLICKHOUSE_URL to a ClickHouse server, or run Flamekeep on Linux with glibc or on macOS.";
  if (process.platform !== "linux" && process.platform !== "darwin") {
    throw new Stop(`The built-in column store does not run on ${process.platform}: ${remedy}`);
  }
  if (process.arch !== "x64" && process.arch !== "arm64") {
    throw new Stop(`The built-in column store does not run on ${process.arch} processors: ${remedy}`);
  }
  if (isMusl())
    throw new Stop(`The built-in column store needs glibc, which this system does not have: ${remedy}`);
}
