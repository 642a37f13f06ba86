import type { PanelProps } from "./panel-parts.tsx";

/** Plain text with its line breaks. */
export function NotePanel({ panel }: PanelProps<"note">) {
  return <p className="wrap-anywhere whitespace-pre-wrap px-4 pb-4">{panel.text}</p>;
}
