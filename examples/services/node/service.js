// A small shop that sends profiles with @pyroscope/nodejs, and HTTP metrics. run.sh starts it.
const { createServer } = require("node:http");
const { hostname } = require("node:os");
// biome-ignore lint/correctness/noUndeclaredDependencies: run.sh installs it
const Pyroscope = require("@pyroscope/nodejs");

const { FLAMEKEEP_URL: server, FLAMEKEEP_KEY: key, PORT } = process.env;
Pyroscope.init({
  serverAddress: server,
  authToken: key,
  appName: "checkout-node",
  tags: { region: "eu", version: "1.0.0", instance: hostname() },
  flushIntervalMs: 10_000,
  wall: { collectCpuTime: true },
});
Pyroscope.start();

function hashPrices(count) {
  let total = 0;
  for (let price = 0; price < count; price++) total = (total * 31 + price) | 0;
  return total;
}

let requests = [];
createServer((_, response) => {
  const timestamp = Date.now();
  response.end(`${hashPrices(2_000_000)}\n`);
  const duration = (Date.now() - timestamp) / 1000;
  requests.push({ timestamp, duration, status_code: 200, method: "GET", path: "/orders/{id}" });
}).listen(Number(PORT), "localhost");

setInterval(async () => {
  if (requests.length === 0) return;
  const body = JSON.stringify(requests);
  requests = [];
  const reply = await fetch(`${server}/api/v1/ingest/http-metrics?service=checkout-node`, {
    method: "POST",
    headers: { "X-API-Key": key, "Content-Type": "application/json" },
    body,
  });
  if (!reply.ok) console.error(await reply.text());
}, 5_000);
