// Browsers of the visitors of a site, from its access log.
import { createServer } from "node:http";
import { UAParser } from "ua-parser-js";

const agents = [
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.1 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0",
];
const log = Array.from({ length: 600 }, (_, n) => ({ path: `/p/${n % 40}`, agent: agents[n % 3], bytes: (n * 977) % 9000 }));

function browsers(rows) {
  const counts = {};
  for (const { agent } of rows) {
    const { name } = new UAParser(agent).getBrowser();
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

function bytesByPath(rows) {
  const sums = new Map();
  for (const { path, bytes } of rows) sums.set(path, (sums.get(path) ?? 0) + bytes);
  return [...sums].sort(([, a], [, b]) => b - a);
}

createServer((request, response) => {
  const first = Number(request.url.split("/")[2]) % 500;
  const rows = log.slice(first, first + 100);
  response.end(JSON.stringify({ browsers: browsers(rows), bytes: bytesByPath(rows) }));
}).listen(Number(process.env.PORT), "127.0.0.1");
