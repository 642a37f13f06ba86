import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";

const usualFolder = new URL("../../../../../shared/corpus", import.meta.url);

/**
 * A collection of other programs' profiles, which is not part of the repository: the folder that FLAMEKEEP_CORPUS names, or
 * `../shared/corpus` next to the checkout. Tests over it are skipped where it is absent.
 */
export const corpus: URL = pathToFileURL(`${process.env.FLAMEKEEP_CORPUS || fileURLToPath(usualFolder)}/`);
