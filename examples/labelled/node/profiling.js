// Loaded before the service: sends its profiles with Pyroscope's SDK for Node.
import Pyroscope from "@pyroscope/nodejs";

const periodMs = 20_000;
Pyroscope.init({
  serverAddress: process.env.PYROSCOPE_ADDRESS,
  appName: process.env.SERVICE,
  flushIntervalMs: periodMs,
  wall: { samplingDurationMs: periodMs, samplingIntervalMicros: 2000, collectCpuTime: true },
});
if (process.env.PROFILE === "memory") Pyroscope.startHeapProfiling();
else Pyroscope.startCpuProfiling();
