// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from "vitest";
import { copyText } from "./copy-text.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(document, "execCommand");
  document.body.replaceChildren();
});

function withClipboard(clipboard: { writeText(text: string): Promise<void> } | undefined) {
  vi.stubGlobal("navigator", { clipboard });
}

/** Replaces the browser's command, which copies the selected text of the focused field. */
function withCommand(copied: string[]) {
  Object.assign(document, {
    execCommand: () => {
      copied.push((document.activeElement as HTMLTextAreaElement).value);
      return true;
    },
  });
}

it("uses the browser's clipboard where there is one", async () => {
  const written: string[] = [];
  withClipboard({ writeText: async (text) => void written.push(text) });
  expect(await copyText("fk_1")).toBe(true);
  expect(written).toEqual(["fk_1"]);
});

it("copies from a field where the page is not served by HTTPS, and returns the focus", async () => {
  const copied: string[] = [];
  withClipboard(undefined);
  withCommand(copied);
  const dialog = document.createElement("div");
  dialog.setAttribute("role", "dialog");
  const button = document.createElement("button");
  dialog.append(button);
  document.body.append(dialog);
  button.focus();
  expect(await copyText("fk_2")).toBe(true);
  expect(copied).toEqual(["fk_2"]);
  expect([document.activeElement, document.querySelector("textarea")]).toEqual([button, null]);
});

it("reports that neither way works", async () => {
  withClipboard({ writeText: () => Promise.reject(new Error("denied")) });
  expect(await copyText("fk_3")).toBe(false);
});
