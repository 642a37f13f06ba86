import type { WideNumbers } from "./chunk-bytes.ts";
import type { Constants } from "./constants.ts";
import type { EventContext } from "./rows.ts";

/** The events that the profiler of Datadog's agent for Java samples. The agent appends them to the JDK's recording, as a chunk. */
export const datadogKinds = {
  "datadog.ExecutionSample": { count: "cpuSamples", isWeighted: true },
  "datadog.MethodSample": { count: "wallSamples", isWeighted: true },
  "datadog.ObjectSample": {
    count: "sampledObjects",
    sum: { column: "sampledBytes", field: "size" },
    isWeighted: true,
  },
  "datadog.HeapLiveObject": {
    count: "liveObjects",
    sum: { column: "liveBytes", field: "size" },
    isWeighted: true,
  },
} as const;

/** Operations and endpoints of the spans in a chunk of Datadog's profiler, by the id of their local root, which is one request or one task. */
export class DatadogSpans {
  readonly #constants: Constants;
  readonly #wide: WideNumbers;
  readonly #operations = new Map<number, number>();
  readonly #endpoints = new Map<number, number>();

  constructor(constants: Constants, wide: WideNumbers) {
    this.#constants = constants;
    this.#wide = wide;
  }

  /** @param operation the id of its name */
  addOperation(localRoot: number, operation: number): void {
    if (localRoot !== 0 && operation !== 0) this.#operations.set(localRoot, operation);
  }

  /** @param endpoint the id of its name */
  addEndpoint(localRoot: number, endpoint: number): void {
    this.#endpoints.set(localRoot, endpoint);
  }

  /** The labels of samples, named as Datadog's libraries name them in pprof. */
  labelsOf({
    contextId: localRoot,
    spanId,
    spanName: thread,
  }: EventContext): Readonly<Record<string, string>> {
    const texts: readonly (readonly [string, string])[] = [
      ["thread name", this.#constants.threadName(thread)],
      ["span id", this.#idOf(spanId)],
      ["local root span id", this.#idOf(localRoot)],
      ["operation", this.#constants.attribute(this.#operations.get(localRoot) ?? 0)],
      ["trace endpoint", this.#constants.string(this.#endpoints.get(localRoot) ?? 0)],
    ];
    return Object.fromEntries(texts.filter(([, text]) => text !== ""));
  }

  #idOf(span: number): string {
    return span === 0 ? "" : String(this.#wide.toBigInt(span));
  }
}
