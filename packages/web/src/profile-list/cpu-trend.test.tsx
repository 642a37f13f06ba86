// @vitest-environment happy-dom
import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { CpuTrend } from "./cpu-trend.tsx";

afterEach(cleanup);

it.each([
  [true, "CPU N/A: profiles lack CPU time or duration"],
  [false, "No CPU profiles in this range"],
  [undefined, "No CPU time in this range"],
])("without CPU time, with CPU profiles %s, says %s", (hasCpuProfiles, text) => {
  const known = hasCpuProfiles === undefined ? {} : { hasCpuProfiles };
  const { container } = render(<CpuTrend name="shop" state="read" trend={undefined} {...known} />);
  expect(container.textContent).toBe(text);
});
