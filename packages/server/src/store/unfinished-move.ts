import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { StoreRefused } from "./unavailable.ts";

/** In the data folder that an installation moves to, until a server starts with it. */
const moveFile = "move.json";

type MoveState = "begun" | "complete";

export async function noteMove(dataDir: string, state: MoveState): Promise<void> {
  const path = join(dataDir, moveFile);
  await writeFile(`${path}.new`, JSON.stringify({ state }), { mode: 0o600, flush: true });
  await rename(`${path}.new`, path);
}

/** Undefined where nothing moves into this folder. */
export async function moveInto(dataDir: string): Promise<MoveState | undefined> {
  // Stores that open after this say what is wrong with the folder.
  const text = await readFile(join(dataDir, moveFile), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  return text.includes('"complete"') ? "complete" : "begun";
}

/** To be called when a server starts: from then on, another run of the move would remove what people do. Throws StoreRefused. */
export async function endMove(dataDir: string): Promise<void> {
  const state = await moveInto(dataDir);
  if (state === "begun")
    throw new StoreRefused(
      `The move into ${dataDir} has not ended, so parts of the data are missing. Run \`npm run move\` again with the same settings, or set DATA_DIR to another folder.`,
    );
  if (state === "complete") await rm(join(dataDir, moveFile));
}
