import { asyncProfiler } from "./async-profiler.ts";
import { datadogGo, datadogJava, datadogNode, datadogPython } from "./datadog.ts";
import { collectorByGrpc, collectorByHttp } from "./opentelemetry.ts";
import { pyroscopeGo, pyroscopeJava, pyroscopeNode, pyroscopePython } from "./pyroscope.ts";
import type { Sender } from "./sender.ts";

/** Every sender that `npm run test:senders` runs. One more is a file in this folder and a line here. */
export const senders: readonly Sender[] = [
  pyroscopeGo,
  pyroscopePython,
  pyroscopeNode,
  pyroscopeJava,
  datadogGo,
  datadogPython,
  datadogNode,
  datadogJava,
  collectorByHttp,
  collectorByGrpc,
  asyncProfiler,
];
