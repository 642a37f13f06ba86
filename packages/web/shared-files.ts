import { build, type Plugin, type Rolldown } from "vite";

/** Modules that exactly the same entries need: what the bundler puts into a file by itself. */
type Chunk = Pick<
  Rolldown.OutputChunk,
  "fileName" | "code" | "isEntry" | "isDynamicEntry" | "imports" | "dynamicImports" | "moduleIds"
>;

/** A file to be, of chunks that several pages share. */
interface Shared {
  readonly chunks: readonly Chunk[];
  readonly bytes: number;
  /** Entries that need it as soon as they start, the pages among them. */
  readonly users: ReadonlySet<string>;
  /** Those of the users that the browser starts with: the documentation must load nothing of the app but what it shares with it. */
  readonly starts: string;
}

/** One more request costs as much as these bytes of code as the first build has it, about 4 KB when compressed. */
const bytesPerRequest = 24_000;

/**
 * Puts the code that pages share into few files. By default two modules share a file only if exactly the same entries need them,
 * which makes a hundred files for a page, most of some hundred bytes, each with a request. So there are two builds: the first one
 * finds out which pages share what, and the second one writes the files.
 */
export function sharedFiles(): Plugin {
  return {
    name: "shared-files",
    apply: "build",
    async config(config) {
      const built = await build({
        ...config,
        configFile: false,
        logLevel: "error",
        plugins: [withoutStyles],
        build: { ...config.build, write: false, minify: false },
      });
      const outputs = [built].flat().flatMap((each) => ("output" in each ? each.output : []));
      const files = joined(outputs.filter((each) => each.type === "chunk"));
      const names = new Map(files.flatMap((ids, index) => ids.map((id) => [id, `shared-${index}`])));
      const group: Rolldown.CodeSplittingGroup = {
        debugName: "shared",
        name: (id) => names.get(id) ?? null,
        includeDependenciesRecursively: false,
      };
      return { build: { rolldownOptions: { output: { codeSplitting: { groups: [group] } } } } };
    },
  };
}

/** Styles and minified code would take memory that the second build needs. */
const withoutStyles: Plugin = {
  name: "without-styles",
  enforce: "pre",
  load: (id) => (id.endsWith(".css") ? "" : null),
};

/** The modules of each file: joins the two by which all pages together win most, again and again, until no two are left to join. */
export function joined(chunks: readonly Chunk[]): string[][] {
  let files = sharedBy(usersOf(chunks), chunks);
  for (;;) {
    const pair = bestPair(files);
    if (!pair) return files.map((file) => file.chunks.flatMap(({ moduleIds }) => moduleIds));
    const [one, other] = pair;
    const both = {
      chunks: [...one.chunks, ...other.chunks],
      bytes: one.bytes + other.bytes,
      users: one.users.union(other.users),
      starts: one.starts,
    };
    files = [...files.filter((each) => each !== one && each !== other), both];
  }
}

function bestPair(files: readonly Shared[]): [Shared, Shared] | undefined {
  let best: [Shared, Shared] | undefined;
  let most = 0;
  files.forEach((one, index) => {
    for (const other of files.slice(0, index)) {
      const won = wonBy(one, other);
      if (won <= most || isAround(files, one, other) || isAround(files, other, one)) continue;
      best = [one, other];
      most = won;
    }
  });
  return best;
}

/** For each page, and for what starts without one, all chunks that it needs before it runs, without those that are there already. */
function usersOf(chunks: readonly Chunk[]): Map<Chunk, ReadonlySet<Chunk>> {
  const byName = new Map(chunks.map((each) => [each.fileName, each]));
  const named = (names: readonly string[]) => names.flatMap((name) => byName.get(name) ?? []);
  const withImports = (entry: Chunk) => {
    const found = new Set([entry]);
    // The iteration also visits what is added meanwhile.
    for (const each of found) for (const imported of named(each.imports)) found.add(imported);
    return found;
  };
  const starts = chunks.filter(({ isEntry }) => isEntry).map((entry) => [entry, withImports(entry)] as const);
  const pages = starts.flatMap(([, start]) =>
    [...start]
      .flatMap(({ dynamicImports }) => named(dynamicImports))
      .map((page) => [page, withImports(page).difference(start)] as const),
  );
  return new Map([...pages, ...starts]);
}

function sharedBy(users: ReadonlyMap<Chunk, ReadonlySet<Chunk>>, chunks: readonly Chunk[]): Shared[] {
  return chunks
    .filter(({ isEntry, isDynamicEntry }) => !isEntry && !isDynamicEntry)
    .map((chunk) => {
      const using = [...users].filter(([, needed]) => needed.has(chunk)).map(([user]) => user);
      return {
        chunks: [chunk],
        bytes: chunk.code.length,
        users: new Set(using.map(({ fileName }) => fileName)),
        starts: String(using.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName)),
      };
    })
    .filter((shared) => shared.users.size > 0);
}

/** The requests that users of both save, in bytes, less the bytes that users of one load in vain. */
function wonBy(one: Shared, other: Shared): number {
  if (one.starts !== other.starts) return 0;
  const both = one.users.intersection(other.users).size;
  return (
    both * bytesPerRequest - (one.users.size - both) * other.bytes - (other.users.size - both) * one.bytes
  );
}

/** Whether one file needs the other by way of a third: joined, they and the third would import each other. */
function isAround(files: readonly Shared[], one: Shared, other: Shared): boolean {
  const neededBy = (file: Shared) => {
    const imports = new Set(file.chunks.flatMap((each) => each.imports));
    return files.filter((each) => each.chunks.some(({ fileName }) => imports.has(fileName)));
  };
  const found = new Set(neededBy(one).filter((each) => each !== one && each !== other));
  for (const each of found) {
    for (const needed of neededBy(each)) if (needed !== one) found.add(needed);
  }
  return found.has(other);
}
