// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { Tag } from "lucide-react";
import { afterEach, expect, it, vi } from "vitest";
import { ChipField } from "./chip-field.tsx";

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

it("keeps its choices and its text if its code does not load, and loads it when asked again", async () => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  let isAway = true;
  const load = async () => {
    if (isAway) throw new Error("The file is gone");
    return { word: "loaded" };
  };
  render(
    <ChipField
      {...{ load, icon: Tag, isActive: false }}
      label="Filter by tags"
      placeholder="Filter by tags"
      chosen={["region: eu"]}
      className=""
    >
      {({ word }, { text }) => (
        <p>
          {word} with {text}
        </p>
      )}
    </ChipField>,
  );
  expect((await screen.findByRole("alert")).textContent).toContain("The choices did not load.");
  screen.getByText("region: eu");
  const field = screen.getByRole("combobox", { name: "Filter by tags" });
  fireEvent.change(field, { target: { value: "version" } });
  isAway = false;
  fireEvent.click(screen.getByRole("button", { name: "Try Again" }));
  await screen.findByText("loaded with version");
});
