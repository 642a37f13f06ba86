import type { Frame } from "@flamekeep/contract";

/** `suggest.go:49`; the whole path is shown on hover. Empty if the profile has no files. */
export function placeOf({ file_name: file, line_number: line }: Frame): string {
  const name = file.slice(file.lastIndexOf("/") + 1);
  return line > 0 && name !== "" ? `${name}:${line}` : name;
}
