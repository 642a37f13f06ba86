import { randomBytes } from "node:crypto";
import { mkdir, open, readFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * The secret that signs tokens: the configured one, else the one in the data folder, made there on first start
 * and readable by its owner only.
 */
export async function readAuthSecret(configured: string | undefined, dataDir: string): Promise<string> {
  if (configured !== undefined) return configured;
  await mkdir(dataDir, { recursive: true });
  const path = join(dataDir, "auth-secret");
  try {
    const file = await open(path, "wx", 0o600);
    try {
      await file.writeFile(`${randomBytes(32).toString("base64url")}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause;
  }
  const secret = (await readFile(path, "utf8")).trim();
  if (secret.length >= 32) return secret;
  throw new Error(`${path} is damaged. Remove it to make a new one: everybody has to sign in again.`);
}
