import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { minuteMs } from "@flamekeep/contract/durations";
import { type ServerProcess, startServer } from "#server-process";

const readyMsMax = 2 * minuteMs;
const betweenProbesMs = 50;
const probeMsMax = 1000;

/** One server of a cluster: it keeps its data folder and its address over all of its starts. */
export class Member {
  readonly url: string;
  readonly #dataDir: string;
  readonly #settings: Readonly<Record<string, string>>;
  #process: ServerProcess | undefined;

  constructor(port: number, dataDir: string, settings: Readonly<Record<string, string>>) {
    this.url = `http://127.0.0.1:${port}`;
    this.#dataDir = dataDir;
    this.#settings = { ...settings, PORT: String(port) };
  }

  get isRunning(): boolean {
    return this.#process !== undefined;
  }

  /** Process id of a running member. */
  get pid(): number {
    if (this.#process === undefined) throw new Error(`${this.url} does not run`);
    return this.#process.pid;
  }

  /** Resolves when it is ready. */
  async start(): Promise<void> {
    this.#process = startServer(this.#dataDir, this.#settings);
    await this.#process.url;
    for (const startedAt = performance.now(); !(await isReady(this.url)); await sleep(betweenProbesMs)) {
      if (performance.now() - startedAt > readyMsMax)
        throw new Error(`${this.url} serves and is not ready after ${readyMsMax / 1000} s`);
    }
  }

  /** SIGKILL. */
  async kill(): Promise<void> {
    await this.#process?.kill("server");
    await this.#ended();
  }

  /** SIGTERM. Resolves when it has ended, which says how many seconds that took. */
  async stop(): Promise<number> {
    const askedAt = performance.now();
    this.#process?.stop();
    await this.#ended();
    return (performance.now() - askedAt) / 1000;
  }

  /** SIGSTOP: it keeps its connections and answers nothing. */
  hang(): void {
    process.kill(this.pid, "SIGSTOP");
  }

  goOn(): void {
    process.kill(this.pid, "SIGCONT");
  }

  async #ended(): Promise<void> {
    await this.#process?.ended();
    this.#process = undefined;
  }
}

/** A probe of an orchestrator or a load balancer. */
export async function isReady(url: string): Promise<boolean> {
  const reply = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(probeMsMax) }).catch(
    () => undefined,
  );
  await reply?.body?.cancel();
  return reply?.ok === true;
}
