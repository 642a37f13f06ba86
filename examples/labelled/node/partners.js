// Translates orders of partners, which come as XML.
import { createServer } from "node:http";
import { XMLParser } from "fast-xml-parser";

const parser = new XMLParser({ ignoreAttributes: false, isArray: (name) => name === "line" });

function messageOf(number) {
  const lines = Array.from({ length: 80 }, (_, i) => `<line sku="S${i}"><count>${1 + (i % 4)}</count><price>${(i + number) % 90}</price></line>`);
  return `<order id="${number}"><partner>partner ${number % 9}</partner>${lines.join("")}</order>`;
}

const messages = Array.from({ length: 50 }, (_, number) => messageOf(number));

function translated(text) {
  const { order } = parser.parse(text);
  const lines = order.line.map((line) => ({ sku: line["@_sku"], count: line.count, cents: Math.round(line.price * 100) }));
  return { id: order["@_id"], partner: order.partner, lines, cents: lines.reduce((sum, { count, cents }) => sum + count * cents, 0) };
}

createServer((request, response) => {
  const message = messages[Number(request.url.split("/")[2]) % 50];
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(translated(message)));
}).listen(Number(process.env.PORT), "127.0.0.1");
