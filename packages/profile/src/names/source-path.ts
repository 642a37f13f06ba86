/** Paths of source files as two hosts and two releases both have them. They are hostile input: every pattern takes linear time. */

type Rule = readonly [pattern: RegExp, replacement: string];

/** In this order: the first ones make the forms that the later ones expect. */
const rules: readonly Rule[] = [
  [/\\/g, "/"],
  [/\?.*$/s, ""],
  [/^(?:file:\/\/|(?:https?|webpack(?:-internal)?|app):\/\/[^/]*\/?|node:)/, ""],
  [/^\/?[A-Za-z]:\//, "/"],
  [/\/(?:\.\/)+/g, "/"],
  [/^\.\//, ""],
  // Installed packages, without the place of the installation and without versions.
  [/^(?:.*\/)?node_modules\//s, "node_modules/"],
  [/^(?:.*\/)?(?:site|dist)-packages\//s, "site-packages/"],
  [/^(?:.*\/)?python\d(?:\.\d+)?t?\/(?=[^/])/s, "python/"],
  [/^(?:.*\/)?python\d\d+\.zip\//s, "python/"],
  [/^(?:.*\/)?Python\d*\/Lib\/(?=[^/])/s, "python/"],
  [/^(?:.*\/)?gems\/([^/]{1,100}?)-\d[^/]*\//s, "gems/$1/"],
  [/^(?:.*\/)?lib\/ruby\/\d[^/]*\//s, "ruby/"],
  [/^(?:.*\/)?registry\/src\/[^/]*\/([^/]{1,100}?)-\d[^/]*\//s, "crates/$1/"],
  [/^(?:.*\/)?rustc\/[^/]*\/library\//s, "rust/"],
  [/^(?:.*\/)?rustlib\/src\/rust\/library\//s, "rust/"],
  // Folders of a build or a release, above the project's folders.
  [/^.*\/releases\/[0-9a-f]{6,40}\//s, ""],
  [/^\/home\/runner\/work\/[^/]+\/[^/]+\//, ""],
  [/^\/(?:builds\/[^/]+\/[^/]+|workspaces?\/[^/]+|var\/lib\/jenkins\/workspace\/[^/]+)\//, ""],
  [/^\/(?:usr\/src\/app|github\/workspace|usr\/src|var\/task|app|code|workspace)\//, ""],
  [/^\/(?:home|Users)\/[^/]+\//, ""],
  [/^\/root\//, ""],
  // Hashes of contents: `chunk-3fa9c1d2.js`.
  [/\/(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{12,64}(?=\/)/g, ""],
  [/[-.](?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{8,64}(?=\.(?:[cm]?js|jsx|ts|css)$)/, ""],
  [
    /((?:^|\/)(?:assets|chunks)\/[^/]{1,100}?)[-.](?=[\w-]{0,7}\d)(?=[\w-]{0,7}[A-Z])[\w-]{8}(?=\.[cm]?js$)/,
    "$1",
  ],
  // `libfoo.so.1.2.3`
  [/(\.so)(?:\.\d+)+$/, "$1"],
  [/^\/+/, ""],
];

/**
 * A path without what differs from one build, release or host to the next.
 *
 * ```
 * /srv/v2/venv/lib/python3.12/site-packages/flask/app.py   site-packages/flask/app.py
 * file:///home/ci/shop/src/cart.js                         shop/src/cart.js
 * C:\app\chunk-3fa9c1d2.js                                 chunk.js
 * ```
 */
export function sourcePath(file: string): string {
  let path = file;
  for (const [pattern, replacement] of rules) path = path.replace(pattern, replacement);
  return path;
}
