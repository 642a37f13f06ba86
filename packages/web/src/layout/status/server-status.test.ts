// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { serverCpuText } from "./server-status.ts";

it.each([
  [0, "0% of one core"],
  [2.3, "2% of one core"],
  [99.4, "99% of one core"],
  [100, "1 core"],
  [235, "2.4 cores"],
])("shows %d percent as %s", (cpu_percent, text) => expect(serverCpuText({ cpu_percent })).toBe(text));
