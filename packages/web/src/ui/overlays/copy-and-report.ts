import { copyText } from "#ui/copy-text.ts";
import { showToast } from "./toast.ts";

/** Copies a text and reports the outcome in a toast. */
export async function copyAndReport(text: string, done: string): Promise<void> {
  if (await copyText(text)) showToast(done);
  else showToast("The browser does not allow copying here.", "critical");
}
