import { build, type Plugin, type Rolldown } from "vite";

/** Modules that exactly the same entries need: what the bundler puts into a file by itself. */
type Chunk = Pick<
  Rolldown.OutputChunk,
  "fileName" | "code" | "isEntry" | "isDynamicEntry" | "imports" | "dynamicImports" | "moduleIds"
>;

/** An input, a page, or a part of a page that is loaded later. */
interface User {
  /** The name of an input. */
  readonly input: string | undefined;
  /** How often it is loaded, compared with a page. */
  readonly visits: number;
}

interface ChunksOfUser {
  readonly needed: ReadonlySet<Chunk>;
  readonly present: ReadonlySet<Chunk>;
}

/** A file to be, of chunks that several users share. */
interface Shared {
  readonly chunks: readonly Chunk[];
  readonly bytes: number;
  readonly users: ReadonlySet<User>;
  /** Parts that are loaded by pages which have the file already. */
  readonly present: ReadonlySet<User>;
  /** The inputs among the users: the documentation must load nothing of the app but what it shares with it. */
  readonly starts: string;
}

/** One more request costs as much as these bytes of code as the first build has it, about 5 KB when compressed. */
const bytesPerRequest = 40_000;

/** Parts are dialogs, menus and what is below the fold: one visit in ten opens a given one. */
const visitsOfPart = 0.1;
/** Bytes that are worth no request: if one input needs them, all of them load them. */
const bytesOfTrifle = 2_000;

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

/** The modules of each file: joins those by which all pages together win most, again and again, until none are left to join. */
export function joined(chunks: readonly Chunk[]): string[][] {
  let files = sharedBy(usersOf(chunks), chunks);
  for (;;) {
    const needs = needsOf(files);
    const group = bestGroup(files, needs);
    if (!group) return files.map((file) => file.chunks.flatMap(({ moduleIds }) => moduleIds));
    files = withJoined(files, group, needs);
  }
}

/** The files that are joined next: two, and all those between them, because files must not import each other. */
function bestGroup(files: readonly Shared[], needs: Needs): readonly Shared[] | undefined {
  let best: readonly Shared[] | undefined;
  let most = 0;
  files.forEach((one, index) => {
    for (const other of files.slice(0, index)) {
      // Most pairs end here: the rest takes longer.
      if (one.starts !== other.starts || savedByPair(one, other) <= most) continue;
      const group = withBetween(one, other, needs);
      const won = wonBy(group, needs);
      if (won <= most) continue;
      best = group;
      most = won;
    }
  });
  return best;
}

type Needs = ReadonlyMap<Shared, ReadonlySet<Shared>>;

/** Each file with all files that are loaded with it. */
function needsOf(files: readonly Shared[]): Needs {
  const byChunk = new Map(files.flatMap((file) => file.chunks.map(({ fileName }) => [fileName, file])));
  const neededBy = (file: Shared) => {
    const found = new Set([file]);
    // The iteration also visits what is added meanwhile.
    for (const { chunks } of found) {
      for (const imported of chunks.flatMap(({ imports }) => imports)) {
        const needed = byChunk.get(imported);
        if (needed !== undefined) found.add(needed);
      }
    }
    return found;
  };
  return new Map(files.map((file) => [file, neededBy(file)]));
}

/** Two files, and each third one that one of them needs and that needs the other. */
function withBetween(one: Shared, other: Shared, needs: Needs): readonly Shared[] {
  const between = (first: Shared, last: Shared) =>
    [...needs.get(first)!].filter(
      (third) => third !== first && third !== last && needs.get(third)!.has(last),
    );
  return [one, other, ...between(one, other), ...between(other, one)];
}

/** Files stay the same until they are joined: the numbers of most pairs are those of the round before. */
const pairs = new WeakMap<Shared, WeakMap<Shared, number>>();

function savedByPair(one: Shared, other: Shared): number {
  const ofOne = pairs.get(one) ?? new WeakMap();
  pairs.set(one, ofOne);
  const saved = ofOne.get(other) ?? requestsSaved([one, other]);
  ofOne.set(other, saved);
  return saved;
}

/** The requests that the group saves, in bytes. */
function requestsSaved(group: readonly Shared[]): number {
  let visits = 0;
  const seen = usersOfAll(group, "present");
  for (const { users } of group) {
    for (const user of users) {
      if (seen.has(user)) visits += user.visits;
      seen.add(user);
    }
  }
  return visits * bytesPerRequest;
}

/** The requests that the group saves, in bytes, less what its users load in vain: the rest of the group, and the files that it needs. */
function wonBy(group: readonly Shared[], needs: Needs): number {
  if (group.some(({ starts }) => starts !== group[0]!.starts)) return 0;
  let won = requestsSaved(group);
  const loaded = new Set(group.flatMap((file) => [...needs.get(file)!]));
  for (const user of usersOfAll(group, "users").difference(usersOfAll(group, "present"))) {
    for (const file of loaded) {
      if (file.users.has(user) || file.present.has(user)) continue;
      won -= user.visits * (file.bytes + (group.includes(file) ? 0 : bytesPerRequest));
    }
  }
  return won;
}

function usersOfAll(group: readonly Shared[], kind: "users" | "present"): Set<User> {
  return new Set(group.flatMap((file) => [...file[kind]]));
}

/** Users of any file of the group load all of them, and the files that the group needs. */
function withJoined(files: readonly Shared[], group: readonly Shared[], needs: Needs): Shared[] {
  const present = usersOfAll(group, "present");
  const users = usersOfAll(group, "users").difference(present);
  const needed = new Set(group.flatMap((file) => [...needs.get(file)!]));
  const joint: Shared = {
    chunks: group.flatMap(({ chunks }) => chunks),
    bytes: group.reduce((sum, { bytes }) => sum + bytes, 0),
    users,
    present,
    starts: group[0]!.starts,
  };
  const withUsers = (file: Shared) => {
    const more = users.difference(file.users).difference(file.present);
    return more.size === 0 ? file : { ...file, users: file.users.union(more) };
  };
  const others = files.filter((each) => !group.includes(each));
  return [...others.map((each) => (needed.has(each) ? withUsers(each) : each)), joint];
}

/** All users, with the chunks that each needs before it runs, and those that are there already wherever it is loaded from. */
function usersOf(chunks: readonly Chunk[]): Map<User, ChunksOfUser> {
  const byName = new Map(chunks.map((each) => [each.fileName, each]));
  const named = (names: readonly string[]) => names.flatMap((name) => byName.get(name) ?? []);
  const entries = chunks.filter(({ isEntry, isDynamicEntry }) => isEntry || isDynamicEntry);
  const needed = new Map(
    entries.map((entry) => {
      const found = new Set([entry]);
      // The iteration also visits what is added meanwhile.
      for (const each of found) for (const imported of named(each.imports)) found.add(imported);
      return [entry, found];
    }),
  );
  const loads = ({ fileName }: Chunk, loader: Chunk) =>
    [...needed.get(loader)!].some(({ dynamicImports }) => dynamicImports.includes(fileName));
  const loaders = new Map(entries.map((entry) => [entry, entries.filter((loader) => loads(entry, loader))]));
  const before = loadedBefore(entries, needed, loaders);
  const visitsOf = (entry: Chunk) =>
    entry.isEntry || loaders.get(entry)!.some(({ isEntry }) => isEntry) ? 1 : visitsOfPart;
  return new Map(
    entries.map((entry) => [
      { input: entry.isEntry ? entry.fileName : undefined, visits: visitsOf(entry) },
      { needed: needed.get(entry)!, present: before.get(entry)! },
    ]),
  );
}

/** The chunks that are loaded before each entry, whichever of its loaders asks for it. */
function loadedBefore(
  entries: readonly Chunk[],
  needed: ReadonlyMap<Chunk, ReadonlySet<Chunk>>,
  loaders: ReadonlyMap<Chunk, readonly Chunk[]>,
): Map<Chunk, ReadonlySet<Chunk>> {
  const all = new Set([...needed.values()].flatMap((chunks) => [...chunks]));
  const before = new Map<Chunk, ReadonlySet<Chunk>>(
    entries.map((entry) => [entry, entry.isEntry ? new Set() : all]),
  );
  for (let isStable = false; !isStable; ) {
    isStable = true;
    for (const entry of entries.filter(({ isEntry }) => !isEntry)) {
      const loaded = loaders.get(entry)!.map((loader) => before.get(loader)!.union(needed.get(loader)!));
      const common = loaded.reduce((one, other) => one.intersection(other), before.get(entry)!);
      if (common.size < before.get(entry)!.size) isStable = false;
      before.set(entry, common);
    }
  }
  return before;
}

function sharedBy(chunksOf: ReadonlyMap<User, ChunksOfUser>, chunks: readonly Chunk[]): Shared[] {
  const all = new Set(chunksOf.keys());
  const inputs = new Set([...all].filter(({ input }) => input !== undefined));
  const having = (kind: keyof ChunksOfUser, chunk: Chunk) =>
    new Set([...chunksOf].filter(([, of]) => of[kind].has(chunk)).map(([user]) => user));
  return chunks
    .filter(({ isEntry, isDynamicEntry }) => !isEntry && !isDynamicEntry)
    .map((chunk) => {
      const needed = having("needed", chunk);
      const isTrifle = chunk.code.length < bytesOfTrifle && chunk.imports.length === 0;
      const isOfAll = isTrifle && !needed.isDisjointFrom(inputs);
      const present = isOfAll ? all.difference(inputs) : having("present", chunk);
      const users = isOfAll ? inputs : needed.difference(present);
      const starts = String([...users.intersection(inputs)].map(({ input }) => input));
      return { chunks: [chunk], bytes: chunk.code.length, users, present, starts };
    })
    .filter((shared) => shared.users.size > 0);
}
