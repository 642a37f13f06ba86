import { type LockedPackages, nameOf } from "./locked-packages.ts";

interface Component {
  readonly type: "library" | "platform";
  readonly "bom-ref": string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses: readonly (
    | { readonly expression: string }
    | { readonly license: { readonly name: string } }
  )[];
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
}

/**
 * The software in a folder as CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/): Node, the packages in `node_modules`, and those that
 * the web app was bundled from.
 *
 * @param paths keys of `locked`
 */
export function billOfMaterials(
  locked: LockedPackages,
  paths: readonly string[],
  { version, nodeVersion }: { readonly version: string; readonly nodeVersion: string },
): object {
  const own = `pkg:generic/flamekeep@${version}`;
  const node = `pkg:generic/node@${nodeVersion}`;
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: {
        type: "application",
        "bom-ref": own,
        name: "flamekeep",
        version,
        licenses: [{ expression: "Apache-2.0" }],
      },
    },
    components: [
      {
        type: "platform",
        "bom-ref": node,
        name: "node",
        version: nodeVersion,
        purl: node,
        licenses: [{ expression: "MIT" }],
      } satisfies Component,
      ...distinct(paths.map((path) => componentOf(locked, path))),
    ],
  };
}

/** A version can be in several folders. */
function distinct(components: readonly Component[]): readonly Component[] {
  return [...new Map(components.map((component) => [component.purl, component])).values()];
}

function componentOf(locked: LockedPackages, path: string): Component {
  const { version = "", license = "", integrity } = locked[path]!;
  const name = nameOf(path);
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  return {
    type: "library",
    "bom-ref": purl,
    name,
    version,
    purl,
    licenses: /^[\w.+() -]+$/.test(license)
      ? [{ expression: license }]
      : [{ license: { name: license || "unknown" } }],
    ...(integrity === undefined ? {} : { hashes: hashesOf(integrity) }),
  };
}

/** npm has checksums in base64, CycloneDX in hexadecimal digits. */
function hashesOf(integrity: string): { readonly alg: string; readonly content: string }[] {
  return integrity.split(" ").map((text) => {
    const [algorithm = "", digest = ""] = text.split(/-(.*)/s);
    return {
      alg: algorithm.toUpperCase().replace("SHA", "SHA-"),
      content: Buffer.from(digest, "base64").toString("hex"),
    };
  });
}
