import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { accessibilityViolations, openAfresh, visit } from "./harness/browser.ts";
import { useFlamekeep } from "./harness/use-flamekeep.ts";

const flamekeep = useFlamekeep();

/** Saves the dashboard of the page as somebody else would, with the session of the page. */
async function saveElsewhere(page: Page, name: string): Promise<void> {
  const id = new URL(page.url()).pathname.split("/").at(-1);
  await page.evaluate(
    async ([path, description]) => {
      const authorization = `Bearer ${localStorage.getItem("flamekeep.access_token")}`;
      const headers = { authorization, "content-type": "application/json" };
      const read = await (await fetch(path!, { headers })).json();
      const body = JSON.stringify({ ...read, description });
      const saved = await fetch(path!, { method: "PUT", headers, body });
      if (!saved.ok) throw new Error(`saving failed: ${saved.status}`);
    },
    [`/api/v1/protected/dashboards/${id}`, name],
  );
}

function titlesOf(page: Page): Promise<string[]> {
  return page.getByRole("main").getByRole("heading", { level: 2 }).allTextContents();
}

async function addNote(page: Page, text: string): Promise<void> {
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await page.getByRole("button", { name: "Add panel" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a panel" });
  await dialog.getByRole("combobox", { name: "Kind" }).click();
  await page.getByRole("option", { name: "Note" }).click();
  await dialog.getByRole("textbox", { name: "Text" }).fill(text);
  await dialog.getByRole("button", { name: "Add panel" }).click();
  await page.getByText(text).waitFor();
}

test("a panel becomes a dashboard, whose view a link keeps; conflicts are reported and versions restored", async () => {
  const { page, errors } = await flamekeep.openSeeded();
  page.setDefaultTimeout(60_000);
  await visit(page, "/profiles/service/checkout");
  await page.getByRole("button", { name: "Add to dashboard" }).click();
  const dialog = page.getByRole("dialog", { name: "Add to dashboard" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("On call");
  expect(await accessibilityViolations(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByText("Added to On call").waitFor();

  await visit(page, "/dashboards");
  await page.getByRole("link", { name: "On call" }).click();
  await page.getByRole("heading", { level: 1, name: "On call" }).waitFor();
  const graph = page.getByRole("img", { name: /^Flame graph\. CPU of checkout/ });
  await graph.waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  const drawn = () =>
    graph
      .locator("canvas")
      .first()
      .evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL());
  const light = await drawn();
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(drawn, { timeout: 60_000 }).not.toBe(light);
  await page.emulateMedia({ colorScheme: "light" });
  await page.getByRole("combobox", { name: "Region" }).fill("us");
  await page.keyboard.press("Enter");
  await page.getByText("No CPU profiles from checkout with region=us in this range.").waitFor();
  expect(new URL(page.url()).searchParams.get("region")).toBe("us");
  expect(new URL(page.url()).searchParams.get("service")).toBe("checkout");
  await openAfresh(page, page.url());
  await page.getByText("No CPU profiles from checkout with region=us in this range.").waitFor();
  expect(await page.getByRole("combobox", { name: "Region" }).inputValue()).toBe("us");

  // A listed value may be the start of another one: nothing is applied while somebody types.
  await page.locator('datalist option[value="eu"]').waitFor({ state: "attached" });
  const region = page.getByRole("combobox", { name: "Region" });
  await region.fill("");
  await region.pressSequentially("eu-west");
  expect(await region.inputValue()).toBe("eu-west");
  expect(new URL(page.url()).searchParams.get("region")).toBe("us");
  await page.getByRole("combobox", { name: "Region" }).fill("eu");
  await page.keyboard.press("Enter");
  await graph.waitFor();

  await addNote(page, "Look at lock wait first.");
  await saveElsewhere(page, "Changed elsewhere");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText(/saved version 2 since you read version 1\./).waitFor();
  await page.getByRole("button", { name: "Discard changes and show the latest" }).click();
  await page.getByText("Changed elsewhere").waitFor();
  await addNote(page, "Then at the routes.");
  await page.getByRole("button", { name: "Move up: Note" }).click();
  await page.getByRole("button", { name: "Remove: Note" }).click();
  await expect.poll(() => titlesOf(page)).toEqual(["CPU flame graph"]);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => titlesOf(page)).toEqual(["Note", "CPU flame graph"]);
  const [handle, other] = await Promise.all(
    [
      page.getByTitle("Drag to another panel").first(),
      page.getByRole("heading", { name: "CPU flame graph" }),
    ].map((each) => each.boundingBox()),
  );
  await page.mouse.move(handle!.x + 8, handle!.y + 8);
  await page.mouse.down();
  await page.mouse.move(other!.x + 8, other!.y + 8, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => titlesOf(page)).toEqual(["CPU flame graph", "Note"]);
  await page.getByRole("button", { name: "Move up: Note" }).click();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Saved as version 3").waitFor();
  expect(await titlesOf(page)).toEqual(["Note", "CPU flame graph"]);

  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Versions" }).click();
  await page.getByRole("button", { name: "Restore version 1" }).click();
  await page.getByText("Version 1 is restored as version 4").waitFor();
  await expect.poll(() => titlesOf(page)).toEqual(["CPU flame graph"]);
  // The browser reports the refused save.
  expect(errors.filter((text) => !text.includes("409"))).toEqual([]);
});
