/** An entry of `package-lock.json`, by the path of its folder. */
interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  /** The folder of a package of this project, to which `link` leads. */
  readonly resolved?: string;
  readonly link?: boolean;
  readonly optional?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

export type LockedPackages = Readonly<Record<string, LockedPackage>>;

export interface Platform {
  readonly os: string;
  readonly cpu: string;
  /** Of Linux: `glibc` or `musl`. */
  readonly libc: string;
}

/**
 * Folders of the packages that one package of the project needs to run on a platform, or on any, as Node finds them: the package itself,
 * its dependencies, and theirs. Sorted.
 */
export function packagesToRun(locked: LockedPackages, from: string, platform?: Platform): readonly string[] {
  const needed = new Set([from]);
  for (const path of needed) {
    const entry = locked[path];
    if (entry === undefined) throw new Error(`package-lock.json has no entry ${path}`);
    for (const name of namesOf(entry)) {
      const found = dependencyFrom(locked, path, name);
      if (found !== undefined && (platform === undefined || runsOn(locked[found]!, platform)))
        needed.add(locked[found]!.resolved ?? found);
      if (found === undefined && isRequired(entry, name))
        throw new Error(`${path} needs ${name}, which package-lock.json lacks`);
    }
  }
  return [...needed].toSorted();
}

/** Peers that are not optional are installed as well. */
function namesOf({
  dependencies,
  optionalDependencies,
  peerDependencies,
  ...entry
}: LockedPackage): string[] {
  const peers = Object.keys(peerDependencies ?? {}).filter(
    (name) => !entry.peerDependenciesMeta?.[name]?.optional,
  );
  return [...Object.keys(dependencies ?? {}), ...Object.keys(optionalDependencies ?? {}), ...peers];
}

function isRequired({ dependencies, optionalDependencies }: LockedPackage, name: string): boolean {
  return dependencies?.[name] !== undefined && optionalDependencies?.[name] === undefined;
}

/** The nearest `node_modules` with the package, from the folder of its user upwards. */
export function dependencyFrom(locked: LockedPackages, path: string, name: string): string | undefined {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/")))) {
    const candidate = folder === "" ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (locked[candidate] !== undefined) return candidate;
    if (folder === "") return undefined;
  }
}

function runsOn({ os, cpu, libc }: LockedPackage, platform: Platform): boolean {
  const takes = (allowed: readonly string[] | undefined, value: string) =>
    allowed === undefined || allowed.includes(value);
  return (
    takes(os, platform.os) &&
    takes(cpu, platform.cpu) &&
    (platform.os !== "linux" || takes(libc, platform.libc))
  );
}

/** `@scope/name` of a folder such as `node_modules/a/node_modules/@scope/name`. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
}
