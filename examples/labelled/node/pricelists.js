// Price lists, with an ETag for caches.
import { createHash } from "node:crypto";
import { createServer } from "node:http";

const lists = Array.from({ length: 8 }, (_, l) => Buffer.from(Array.from({ length: 9000 }, (_one, n) => `${l}-${n};article ${n};${(n * 13) % 700}\n`).join("")));

function etagOf(list) {
  return `"${createHash("sha512").update(list).digest("base64url")}"`;
}

function pageOf(list, number) {
  const from = list.indexOf("\n", (number * 997) % 100_000) + 1;
  return list.subarray(from, list.indexOf("\n", from + 4000)).toString();
}

createServer((request, response) => {
  const number = Number(request.url.split("/")[2]);
  const list = lists[number % 8];
  response.setHeader("etag", etagOf(list));
  response.end(pageOf(list, number));
}).listen(Number(process.env.PORT), "127.0.0.1");
