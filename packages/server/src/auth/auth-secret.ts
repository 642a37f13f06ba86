import { hkdfSync, randomBytes } from "node:crypto";
import { open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { openAt } from "#store/data-folder.ts";
import { changesRow, type RowStore } from "#store/row/row-store.ts";
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

const fact = "auth-secret";

/**
 * Servers that share a database must have one secret: with another one, a server would refuse the sessions of the others, and could read
 * no stored credential. Notes the fingerprint of the secret at the first start. Throws StoreRefused if it is another one.
 *
 * @param previous AUTH_SECRET_PREVIOUS: the noted secret may be this one, which the present one then replaces
 */
export async function checkSharedSecret(
  rows: RowStore,
  secret: string,
  previous: string | undefined,
): Promise<void> {
  const value = fingerprint(secret);
  await rows
    .insertInto("installationFacts")
    .values({ name: fact, value })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
  const former = previous === undefined ? value : fingerprint(previous);
  const noted = rows
    .updateTable("installationFacts")
    .set({ value })
    .where("name", "=", fact)
    .where("value", "in", [value, former]);
  if (await changesRow(noted)) return;
  throw new StoreRefused(
    "AUTH_SECRET is another one than that of the servers that have used this database (DATABASE_URL). Set the same one. To replace it, set the former one as AUTH_SECRET_PREVIOUS. If it is lost, run DELETE FROM installation_facts WHERE name = 'auth-secret' in the database and start again: everyone has to sign in, and stored webhooks, target headers and authenticator apps have to be entered again.",
  );
}

function fingerprint(secret: string): string {
  return Buffer.from(subkey(secret, "fingerprint")).toString("base64url");
}
