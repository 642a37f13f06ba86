import { hash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const assemblySources = fileURLToPath(
  new URL("../packages/profile/src/fast-reader/assembly/", import.meta.url),
);

/** A hash of everything in the folder: another one means that a source has changed. */
export function assemblyHash(): string {
  const files = readdirSync(assemblySources).sort();
  const texts = files.map((file) => [file, readFileSync(`${assemblySources}${file}`, "utf8")]);
  return hash("sha256", JSON.stringify(texts), "hex");
}
