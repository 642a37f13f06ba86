import { categoryOf } from "./categories.ts";

/** The compiler's function around a deferred call: the function with the defer statement is above it. */
export const deferWrapper = /\.deferwrap\d+$/;

/** Classes that libraries of Java make at run time around those of the application. */
const proxy = /\$HibernateProxy|\$\$(?:SpringCGLIB|EnhancerBy|FastClassBy)|\$Proxy\d|\$ByteBuddy/;

/** Functions of the Java virtual machine, which is written in C++. */
function isOfVirtualMachine(name: string, file: string): boolean {
  return file === "" && name.includes("::");
}

/** For each function, 1 if it is code of the application; if none can be told apart from libraries, code of libraries. */
export function applicationFlags(names: readonly string[], files: readonly string[]): Uint8Array {
  const categories = names.map((name, i) => categoryIn(name, files[i]!));
  const isJava = names.some((name) => name.startsWith("java/lang/"));
  const own = categories.includes("user_code") ? "user_code" : "third_party";
  const isGenerated = (i: number) =>
    deferWrapper.test(names[i]!) ||
    (isJava && (proxy.test(names[i]!) || isOfVirtualMachine(names[i]!, files[i]!)));
  return Uint8Array.from(categories, (category, i) => (category === own && !isGenerated(i) ? 1 : 0));
}

function categoryIn(name: string, file: string) {
  const category = categoryOf(name, file);
  return category === "user_code" ? categoryOf(nameInPackageOfFile(name, file), file) : category;
}

const literal = /\.func\d/;

/** A name in the package that the source file of a function literal belongs to; the literal's own name says where it is inlined. */
function nameInPackageOfFile(name: string, file: string): string {
  const slash = file.lastIndexOf("/");
  return slash > 0 && literal.test(name) ? `${file.slice(0, slash)}.literal` : name;
}
