// The catalogue of a shop: the same document for every visitor.
import { createServer } from "node:http";

const products = Array.from({ length: 1200 }, (_, n) => ({
  sku: `P${n}`,
  title: `Product number ${n}`,
  tags: ["new", "sale", `group-${n % 12}`],
  price: { amount: n * 1.25, currency: "EUR" },
  stock: { berlin: n % 40, lyon: n % 17 },
}));
const visits = new Map();

function countVisit(visitor) {
  const count = (visits.get(visitor) ?? 0) + 1;
  visits.set(visitor, count);
  return count;
}

function catalogDocument() {
  return JSON.stringify({ count: products.length, products });
}

createServer((request, response) => {
  const url = new URL(request.url, "http://localhost");
  if (url.pathname !== "/catalog") return response.writeHead(404).end();
  response.setHeader("content-type", "application/json");
  response.setHeader("x-visit", countVisit(url.searchParams.get("visitor")));
  response.end(catalogDocument());
}).listen(Number(process.env.PORT), "127.0.0.1");
