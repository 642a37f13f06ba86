// Prices of calls; operators edit the tariffs in a file.
import { existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import express from "express";

const folder = mkdtempSync(join(tmpdir(), "tariffs-"));
for (let n = 0; n < 40; n++) {
  const tariff = { prefix: String(100 + n), cents: n % 40, free: n % 3, notes: `tariff ${n} `.repeat(50) };
  writeFileSync(join(folder, `${tariff.prefix}.json`), JSON.stringify(tariff));
}

function tariffOf(prefix) {
  const file = join(folder, `${prefix}.json`);
  if (!existsSync(file) || statSync(file).size === 0) return { cents: 25, free: 0 };
  return JSON.parse(readFileSync(file, "utf8"));
}

function cost(called, seconds) {
  const { cents, free } = tariffOf(called.slice(0, 3));
  return Math.max(0, Math.floor(seconds / 60) - free) * cents;
}

const app = express();
app.get("/calls/:number", (request, response) => {
  const number = Number(request.params.number);
  const costs = Array.from({ length: 60 }, (_, i) => cost(`${100 + ((number + i) % 50)}5550${i}`, i * 40));
  response.json({ calls: costs.length, cents: costs.reduce((sum, one) => sum + one, 0) });
});
app.listen(Number(process.env.PORT), "127.0.0.1");
