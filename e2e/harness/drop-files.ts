import type { Page } from "playwright-core";
import { expect } from "vitest";
import { accessibilityViolations } from "./browser.ts";

export interface Dropped {
  readonly name: string;
  readonly bytes: Buffer;
}

/** Drags files over the page, looks at what it then shows, and drops them. */
export async function drop(page: Page, files: readonly Dropped[]): Promise<void> {
  const sent = files.map(({ name, bytes }) => ({ name, base64: bytes.toString("base64") }));
  const dataTransfer = await page.evaluateHandle((all) => {
    const transfer = new DataTransfer();
    for (const { name, base64 } of all) {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      transfer.items.add(new File([bytes], name));
    }
    return transfer;
  }, sent);
  await page.dispatchEvent("main", "dragenter", { dataTransfer });
  await page.getByText("Drop to open").waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.dispatchEvent("main", "drop", { dataTransfer });
  await page.getByText("Drop to open").waitFor({ state: "detached" });
}
