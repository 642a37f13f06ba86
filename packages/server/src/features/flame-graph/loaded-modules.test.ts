import { expect, it } from "vitest";
import { loadedFor } from "#testing/loaded-files.ts";

// The first graph after a minute without one waits until the thread has loaded: 52 ms of CPU time, and 140 with schemas.
it.each(["./tasks.ts", "./comparison/tasks.ts"])(
  "%s loads no schemas into the thread that draws",
  async (file) => {
    const loaded = await loadedFor(new URL(file, import.meta.url));
    expect(loaded.filter((url) => url.includes("/packages/flame/src/")).length).toBeGreaterThan(10);
    expect(loaded.filter((url) => /\/node_modules\/zod\/|\/contract\/src\/index\.ts$/.test(url))).toEqual([]);
  },
);
