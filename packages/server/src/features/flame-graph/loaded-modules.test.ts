import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";

/** Addresses of the files that a thread loads for a task file. */
async function loadedFor(taskFile: string): Promise<string[]> {
  const program = `
    import { registerHooks } from "node:module";
    const loaded = [];
    registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context); } });
    await import(${JSON.stringify(new URL(taskFile, import.meta.url).href)});
    console.log(JSON.stringify(loaded));`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program]);
  return JSON.parse(stdout) as string[];
}

// The first graph after a minute without one waits until the thread has loaded: 52 ms of CPU time, and 140 with schemas.
it.each(["./tasks.ts", "./comparison/tasks.ts"])(
  "%s loads no schemas into the thread that draws",
  async (file) => {
    const loaded = await loadedFor(file);
    expect(loaded.filter((url) => url.includes("/packages/flame/src/")).length).toBeGreaterThan(10);
    expect(loaded.filter((url) => /\/node_modules\/zod\/|\/contract\/src\/index\.ts$/.test(url))).toEqual([]);
  },
);
