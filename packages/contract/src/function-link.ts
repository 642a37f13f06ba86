/** Go names carry their package. */
const goFile = /\.(?:go|s)$/;

/** The text by which a link to a flame graph (`fn`) refers to a function: with its file, because other files may have the same name. */
export function functionLink({ name, file = "" }: { readonly name: string; readonly file?: string }): string {
  return file === "" || goFile.test(file) ? name : `${name} (${file})`;
}
