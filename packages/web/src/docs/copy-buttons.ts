import { copyText } from "#ui/copy-text.ts";

const confirmedMs = 1500;

/** Adds a button to each block of code that copies it. */
export function copyButtons(): void {
  for (const block of document.querySelectorAll("pre")) {
    const code = block.textContent ?? "";
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", () => {
      void copyText(code).then((isCopied) => confirm(button, isCopied ? "Copied" : "Not allowed"));
    });
    const frame = document.createElement("div");
    frame.className = "code";
    block.replaceWith(frame);
    frame.append(block, button);
  }
}

function confirm(button: HTMLButtonElement, text: string): void {
  button.textContent = text;
  setTimeout(() => {
    button.textContent = "Copy";
  }, confirmedMs);
}
