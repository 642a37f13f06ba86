import process from "node:process";

/** Ends the set-up with one plain line and an exit code. */
export class Stop extends Error {
  /**
   * @param {string} message
   * @param {number} [exitCode]
   */
  constructor(message, exitCode = 1) {
    super(message);
    this.name = "Stop";
    this.exitCode = exitCode;
  }
}

/** @param {string} line */
export function say(line) {
  process.stdout.write(`  ${line}\n`);
}

/** @param {number} since milliseconds */
const elapsed = (since) => `${((Date.now() - since) / 1000).toFixed(1)} s`;

/**
 * Says what is being done while it is done, and how long it took.
 *
 * @template T
 * @param {string} text
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(text, work) {
  const startedAt = Date.now();
  const out = process.stdout;
  out.write(`  ${text} ... `);
  const ticker = out.isTTY
    ? setInterval(() => out.write(`\r  ${text} ... ${elapsed(startedAt)} `), 500)
    : undefined;
  try {
    const result = await work();
    out.write(out.isTTY ? `\r  ${text} ... ${elapsed(startedAt)} \n` : `${elapsed(startedAt)}\n`);
    return result;
  } catch (error) {
    out.write("\n");
    throw error;
  } finally {
    clearInterval(ticker);
  }
}
