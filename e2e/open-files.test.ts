import { expect, test } from "vitest";
import { accessibilityViolations } from "./harness/browser.ts";
import { type Dropped, drop } from "./harness/drop-files.ts";
import { recordedCpuProfile } from "./harness/recordings.ts";
import { useFlamekeep } from "./harness/use-flamekeep.ts";

const flamekeep = useFlamekeep();
const cpu = { name: "pprof.checkout.samples.cpu.001.pb.gz", bytes: recordedCpuProfile().body };
const folded = { name: "stacks.folded", bytes: Buffer.from("main;handle;encode 7\nmain;gc 3\n") };
const html = { name: "login.html", bytes: Buffer.from("<!doctype html><html>") };

test("files that are dropped on a page are listed with their results, and lead to their flame graphs", async () => {
  const { page, errors } = await flamekeep.openSignedIn();
  await page.goto("/settings");
  await page.getByRole("main").waitFor();
  await drop(page, [cpu, folded]);
  const dialog = page.getByRole("dialog", { name: "Open 2 files" });
  await dialog.getByLabel("Service").waitFor();
  expect(await dialog.getByLabel("Service").inputValue()).toBe("checkout");
  expect(await accessibilityViolations(page)).toEqual([]);
  await dialog.getByLabel("Environment").fill("staging");
  await page.keyboard.press("Enter");
  await dialog.getByText("2 files opened").waitFor();
  await dialog.getByText(/^Pprof profile, CPU, [\d,]+ samples$/).waitFor();
  await dialog.getByText(/^Collapsed stacks, .*10 samples$/).waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  await dialog.getByRole("link", { name: cpu.name }).click();
  await page.getByRole("application", { name: /^Flame graph of/ }).waitFor();
  await page.getByText("staging").first().waitFor();
  expect(errors).toEqual([]);
});

test("a file that is chosen with the button opens at once, and one that is no profile says why it does not", async () => {
  const { page } = await flamekeep.openSignedIn();
  await page.goto("/profiles?view=profiles");
  await page.getByRole("button", { name: "Open a file" }).first().waitFor();
  const choose = async ({ name, bytes }: Dropped) => {
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Open a file" }).first().click();
    await (await chooser).setFiles({ name, mimeType: "application/octet-stream", buffer: bytes });
  };
  await choose(html);
  const dialog = page.getByRole("dialog", { name: "Open a file" });
  await dialog.getByRole("button", { name: "Open", exact: true }).click();
  await dialog.getByText("this is an HTML page").waitFor();
  await dialog.getByRole("button", { name: "Done" }).click();
  await choose(folded);
  await dialog.getByLabel("Service").fill("notes");
  await dialog.getByRole("button", { name: "Open", exact: true }).click();
  await page.waitForURL(/\/profile\/[0-9a-f]{32}/);
  await page.getByRole("application", { name: /^Flame graph of/ }).waitFor();
});
