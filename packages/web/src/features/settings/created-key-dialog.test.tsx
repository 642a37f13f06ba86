import { expect, it } from "vitest";
import { maskedKey } from "./created-key-dialog.tsx";

it("masks a key except its start and its length", () => {
  expect(maskedKey("fk_7Kq2nB4xWm_secret")).toBe("fk_7Kq••••••••••••••");
  expect(maskedKey("fk")).toBe("fk");
});
