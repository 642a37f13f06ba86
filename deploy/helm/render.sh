#!/bin/sh
# Renders the chart with each file of cases/ into rendered/, which the tests read. Needs Helm 3 on the PATH.
set -eu
cd "$(dirname "$0")"
for values in cases/*.yaml; do
  helm lint --strict --kube-version 1.30.0 flamekeep --values "$values"
  helm template --kube-version 1.30.0 flamekeep flamekeep --values "$values" > "rendered/$(basename "$values")"
done
node -e '
  const { createHash } = require("crypto");
  const { readFileSync, readdirSync, statSync, writeFileSync } = require("fs");
  const under = (path) => (statSync(path).isDirectory() ? readdirSync(path).flatMap((name) => under(`${path}/${name}`)) : [path]);
  const hash = createHash("sha256");
  for (const file of [...under("cases"), ...under("flamekeep")].map((path) => `deploy/helm/${path}`).sort())
    hash.update(`${file}\0${readFileSync(`../../${file}`, "utf8")}\0`);
  writeFileSync("rendered/chart.sha256", `${hash.digest("hex")}\n`);'
