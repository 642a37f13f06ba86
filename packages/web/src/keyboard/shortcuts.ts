interface Shortcut {
  readonly group: ShortcutGroup;
  /** `KeyboardEvent.key` in lower case, with `mod+` in front for Ctrl or Cmd. Undefined: its component listens itself. */
  readonly key?: string;
  /** As people read it; alternatives are separate. */
  readonly keys: readonly string[];
  readonly does: string;
}

/** In the order of the overview. */
export const shortcutGroups = [
  "Everywhere",
  "Time range",
  "Flame graph",
  "Focused flame graph",
  "Table and call tree",
  "Pointer",
] as const;
type ShortcutGroup = (typeof shortcutGroups)[number];

/** Every shortcut of the app: `useShortcuts` binds those with a key, the overview lists them all. */
export const shortcuts = {
  palette: {
    group: "Everywhere",
    key: "mod+k",
    keys: ["Mod K"],
    does: "Find a page, service, function, profile or action",
  },
  overview: { group: "Everywhere", key: "?", keys: ["?"], does: "This list" },
  earlier: { group: "Time range", key: "[", keys: ["["], does: "Earlier by half the range" },
  later: { group: "Time range", key: "]", keys: ["]"], does: "Later by half the range" },
  widen: { group: "Time range", key: "-", keys: ["-"], does: "Longer range" },
  narrow: { group: "Time range", key: "=", keys: ["="], does: "Shorter range" },
  find: { group: "Flame graph", key: "/", keys: ["/"], does: "Search functions and packages" },
  steps: {
    group: "Flame graph",
    keys: ["Enter", "Shift Enter"],
    does: "Next and previous match, in the search box",
  },
  nextMatch: { group: "Flame graph", key: "n", keys: ["N"], does: "Next match" },
  previousMatch: { group: "Flame graph", key: "p", keys: ["P"], does: "Previous match" },
  reset: {
    group: "Flame graph",
    key: "escape",
    keys: ["Esc"],
    does: "Reset zoom, clear search and highlights",
  },
  refresh: { group: "Flame graph", key: "r", keys: ["R"], does: "Refresh" },
  saveSvg: { group: "Flame graph", key: "e", keys: ["E"], does: "Export as SVG" },
  legend: { group: "Flame graph", key: "l", keys: ["L"], does: "Toggle the legend" },
  invert: { group: "Flame graph", key: "i", keys: ["I"], does: "Invert (callers below callees)" },
  sandwich: {
    group: "Flame graph",
    key: "s",
    keys: ["S"],
    does: "Callers and callees of the selected function",
  },
  undoTransform: { group: "Flame graph", key: "u", keys: ["U"], does: "Undo the last step" },
  arrows: {
    group: "Focused flame graph",
    keys: ["↑", "↓", "←", "→"],
    does: "Select caller, callee and neighbors",
  },
  zoom: { group: "Focused flame graph", keys: ["Enter"], does: "Zoom to the selected frame" },
  root: { group: "Focused flame graph", keys: ["Home"], does: "Back to the root" },
  rows: { group: "Table and call tree", keys: ["↑", "↓", "Home", "End"], does: "Move through the rows" },
  openRow: { group: "Table and call tree", keys: ["→", "←"], does: "Open and close a frame of the tree" },
  openRows: { group: "Table and call tree", keys: ["*"], does: "Open all frames below the same caller" },
  selectRow: { group: "Table and call tree", keys: ["Enter"], does: "Select the function" },
  wheel: { group: "Pointer", keys: ["Ctrl wheel"], does: "Zoom at the pointer" },
  drag: { group: "Pointer", keys: ["Drag", "Shift wheel"], does: "Move sideways" },
  tap: { group: "Pointer", keys: ["Tap, tap again"], does: "Select a frame, zoom to it" },
  pinch: { group: "Pointer", keys: ["Two fingers"], does: "Zoom and move" },
} as const satisfies Record<string, Shortcut>;

const table: Readonly<Record<string, Shortcut>> = shortcuts;

/** Shortcuts that `useShortcuts` can bind. */
export type ShortcutName = {
  [K in keyof typeof shortcuts]: (typeof shortcuts)[K] extends { key: string } ? K : never;
}[keyof typeof shortcuts];

export function shortcutsOf(group: ShortcutGroup): Shortcut[] {
  return Object.values(table).filter((shortcut) => shortcut.group === group);
}

type KeyPress = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey">;

/** The shortcut of a key press; undefined if it is none. */
export function shortcutOf(event: KeyPress): ShortcutName | undefined {
  if (event.altKey) return undefined;
  const key = `${event.ctrlKey || event.metaKey ? "mod+" : ""}${event.key.toLowerCase()}`;
  const found = Object.keys(table).find((name) => table[name]?.key === key);
  return found as ShortcutName | undefined;
}

/** `Mod` is the Command key on Apple's systems and Ctrl elsewhere. */
export function keysText(keys: string, platform = navigator.platform): string {
  return keys.replace("Mod", /^(Mac|iP)/.test(platform) ? "⌘" : "Ctrl");
}
