// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { useShortcuts } from "./use-shortcuts.ts";

afterEach(cleanup);

function Page({ pressed }: { readonly pressed: string[] }) {
  useShortcuts({
    refresh: () => pressed.push("refresh"),
    reset: () => pressed.push("reset"),
    palette: () => pressed.push("palette"),
  });
  return (
    <>
      <p>text</p>
      <input aria-label="name" />
      <div role="dialog">
        <button type="button">in dialog</button>
      </div>
      <button type="button" role="combobox" aria-expanded="false" aria-controls="options">
        select
      </button>
    </>
  );
}

describe("useShortcuts", () => {
  it("runs the action of a key in any case, also on a closed select", () => {
    const pressed: string[] = [];
    render(<Page pressed={pressed} />);
    fireEvent.keyDown(screen.getByText("text"), { key: "R" });
    fireEvent.keyDown(screen.getByText("text"), { key: "Escape" });
    fireEvent.keyDown(screen.getByRole("combobox"), { key: "r" });
    expect(pressed).toEqual(["refresh", "reset", "refresh"]);
  });

  it("runs combinations with Ctrl or Cmd during text input too", () => {
    const pressed: string[] = [];
    render(<Page pressed={pressed} />);
    fireEvent.keyDown(screen.getByRole("textbox"), { key: "k", ctrlKey: true });
    fireEvent.keyDown(screen.getByText("text"), { key: "k", metaKey: true });
    fireEvent.keyDown(screen.getByText("in dialog"), { key: "k", ctrlKey: true });
    expect(pressed).toEqual(["palette", "palette"]);
  });

  it("ignores keys with a modifier, during text input and in dialogs", () => {
    const pressed: string[] = [];
    render(<Page pressed={pressed} />);
    fireEvent.keyDown(screen.getByText("text"), { key: "r", ctrlKey: true });
    fireEvent.keyDown(screen.getByRole("textbox"), { key: "r" });
    fireEvent.keyDown(screen.getByText("in dialog"), { key: "r" });
    fireEvent.keyDown(screen.getByText("text"), { key: "x" });
    expect(pressed).toEqual([]);
  });
});
