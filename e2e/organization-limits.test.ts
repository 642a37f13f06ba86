import { expect, test } from "vitest";
import { createApiKey, newPerson, register } from "./harness/account.ts";
import { accessibilityViolations, visit } from "./harness/browser.ts";
import { recordedCpuProfile } from "./harness/recordings.ts";
import { sendProfile } from "./harness/send.ts";
import { startFlamekeep } from "./harness/start-flamekeep.ts";
import { useOwnServer } from "./harness/use-flamekeep.ts";

/** Of this file alone: its first account is the operator. */
const flamekeep = useOwnServer(() => startFlamekeep({ env: { DEMO: "off" } }));

test("the operator limits the services of an organization, which sees the limit, is refused beyond it, and sends again once it is gone", async () => {
  const operator = await flamekeep.openSignedIn();
  const { page, errors } = await flamekeep.open();
  await register(page, newPerson());
  const key = await createApiKey(page, "checkout");
  const send = (service: string) => {
    const query = `service=${service}&type=cpu&started_at=${Date.now() - 60_000}`;
    return sendProfile(flamekeep.url, key, query, recordedCpuProfile().body);
  };
  expect((await send("checkout")).status).toBe(200);

  await visit(operator.page, "/operator");
  await operator.page.getByRole("button", { name: "Edit limits of Ada's organization" }).click();
  const dialog = operator.page.getByRole("dialog", { name: "Limits of Ada's organization", exact: true });
  await dialog.getByLabel("Services").fill("one");
  await dialog.getByRole("button", { name: "Save limits" }).click();
  await dialog.getByRole("link", { name: "Services must be a whole number" }).waitFor();
  await dialog.getByLabel("Services").fill("1");
  expect(await accessibilityViolations(operator.page)).toEqual([]);
  await dialog.getByRole("button", { name: "Save limits" }).click();
  await operator.page.getByText("The limits of Ada's organization were changed").waitFor();

  await visit(page, "/settings?tab=data");
  const services = page.locator("dl > div", { hasText: "Services" });
  await services.getByText("1 of 1").waitFor();
  for (const text of ["Reached", "Set by the operator"]) await services.getByText(text).waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  const refused = await send("payments");
  expect([refused.status, refused.body]).toEqual([
    403,
    expect.objectContaining({
      code: "quota_exceeded",
      error: expect.stringContaining("its limit is 1, and payments would be"),
    }),
  ]);
  expect((await send("checkout")).status).toBe(200);

  await visit(page, "/settings?tab=audit");
  await page.getByText("Limits changed by the operator").first().waitFor();
  await operator.page.getByRole("button", { name: "Edit limits of Ada's organization" }).click();
  await dialog.getByLabel("Services").fill("");
  await dialog.getByRole("button", { name: "Save limits" }).click();
  await dialog.waitFor({ state: "detached" });
  expect((await send("payments")).status).toBe(200);
  expect([...operator.errors, ...errors]).toEqual([]);
});
