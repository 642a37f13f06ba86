import { copyText } from "#ui/copy-text.ts";
import { showToast } from "./toast.ts";

/** The clipboard has one text: a toast about an earlier one would be wrong. */
const topic = "clipboard";

/** Copies a text and reports the outcome in a toast. */
export async function copyAndReport(text: string, done: string): Promise<void> {
  if (await copyText(text)) showToast(done, "ok", topic);
  else showToast("The browser blocked copying.", "critical", topic);
}
