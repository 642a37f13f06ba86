import { expect, test } from "vitest";
import { commandOf } from "./task-banner.tsx";

test("extracts the command from the instructions of a warning", () => {
  expect(
    commandOf(
      "Stop the server and run: npm run restore-quarantine quarantine-2026-11-22. If the profiles are not needed, remove the folder.",
    ),
  ).toEqual({
    before: "Stop the server and run:",
    command: "npm run restore-quarantine quarantine-2026-11-22",
    after: "If the profiles are not needed, remove the folder.",
  });
  const text = "Put a backup of the data folder in place.";
  expect(commandOf(text)).toEqual({ before: text, command: undefined, after: "" });
  expect(commandOf("Run: npm run restore-quarantine").command).toBe("npm run restore-quarantine");
});
