/** Above each half of a sandwich. */
export function HalfHeading({ text }: { readonly text: "Callers" | "Callees" }) {
  return <h3 className="px-4 py-1 text-label text-muted">{text}</h3>;
}
