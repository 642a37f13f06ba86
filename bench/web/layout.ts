import { topPadding } from "@flamekeep/flame";
import { atMost, type Measurement } from "#result";
import { untilQuiet } from "./page-times.ts";
import { measurePanels } from "./panels.ts";
import type { Visitor } from "./visitor.ts";

const overview = "/profiles/service/checkout";
const phone = { width: 390, height: 844 };

/** Where the flame graph of a service begins, what its page and the first one load, and how much 12 panels wait for each other. */
export async function measureLayout(visitor: Visitor): Promise<Measurement[]> {
  return [
    { ...px("first frame of a service on 1440x900", await firstFrame(visitor)), bar: atMost(420, true) },
    {
      ...px("first frame of a service on 390x844", await firstFrame(visitor, phone)),
      bar: atMost(2 * phone.height, true),
    },
    ...(await scripts(visitor, "dashboard", "/dashboard", 200)),
    ...(await scripts(visitor, "service", overview, 260)),
    ...(await measurePanels(visitor)),
  ];
}

const px = (what: string, value: number) => ({ what: `${what}, from the top`, value, unit: "px" });

async function firstFrame(visitor: Visitor, viewport?: typeof phone): Promise<number> {
  const page = await visitor.page("demo");
  if (viewport !== undefined) await page.setViewportSize(viewport);
  await page.goto(overview);
  const graph = page.getByRole("application", { name: /^Flame graph/ });
  await graph.waitFor();
  await untilQuiet(page);
  const box = await graph.boundingBox();
  await page.context().close();
  return Math.round((box?.y ?? Number.NaN) + topPadding);
}

/** All scripts that a first visit loads until nothing more comes, over the network and with those for later pages. */
async function scripts(
  visitor: Visitor,
  name: string,
  path: string,
  bytesMax: number,
): Promise<Measurement[]> {
  const page = await visitor.page("demo");
  await page.goto(path);
  await untilQuiet(page);
  const sizes = await page.evaluate(() =>
    (performance.getEntriesByType("resource") as PerformanceResourceTiming[])
      .filter((entry) => /\.js(\?|$)/.test(entry.name))
      .map(({ encodedBodySize }) => encodedBodySize),
  );
  await page.context().close();
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  return [
    { what: `${name}: all scripts of a first visit`, value: bytes / 1024, unit: "KB", bar: atMost(bytesMax) },
    { what: `${name}: their files`, value: sizes.length, unit: "", bar: atMost(20) },
  ];
}
