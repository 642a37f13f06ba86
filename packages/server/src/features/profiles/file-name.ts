import type { ProfileRow } from "#store/profiles/profile-row.ts";

const extensions = [
  { magic: [0x1f, 0x8b], extension: "pb.gz" },
  { magic: [0x28, 0xb5, 0x2f, 0xfd], extension: "pb.zst" },
] as const;

/** `cpu-3f9a1c07be52.pb.gz`: made of the type and the id alone, since service names are the sender's text. */
export function fileNameOf(row: Pick<ProfileRow, "type" | "profile_id">, payload: Uint8Array): string {
  const known = extensions.find(({ magic }) => magic.every((byte, index) => payload[index] === byte));
  const extension = known?.extension ?? (row.type === "metrics" ? "ndjson" : "pb");
  return `${row.type}-${row.profile_id.slice(0, 12)}.${extension}`;
}
