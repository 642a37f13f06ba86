import { hkdfSync, randomBytes } from "node:crypto";
import { open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { openAt } from "#store/data-folder.ts";
import { StoreRefused } from "#store/unavailable.ts";

const lengthMin = 32;

/** Reads the secret that signs tokens, for servers without AUTH_SECRET. The first start creates it, readable by its owner only. */
export async function readAuthSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, "auth-secret");
  const secret = await openAt(path, "file", async () => {
    await createSecret(path);
    return (await readFile(path, "utf8")).trim();
  });
  if (secret.length >= lengthMin) return secret;
  throw new StoreRefused(`${path} is damaged. Remove it to create a new one: everyone has to sign in again.`);
}

async function createSecret(path: string): Promise<void> {
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
}

/** Derives a key for one purpose, so that a signature made for one purpose is not valid for another. */
export function subkey(secret: string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secret, "flamekeep", purpose, 32));
}
