import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Addresses of the files that a new thread loads for a file. */
export async function loadedFor(file: URL): Promise<string[]> {
  const program = `
    import { registerHooks } from "node:module";
    const loaded = [];
    registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context); } });
    await import(${JSON.stringify(file.href)});
    console.log(JSON.stringify(loaded));`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program]);
  return JSON.parse(stdout) as string[];
}
