// Previews of links in a chat: the title of each page.
import { createServer } from "node:http";
import * as cheerio from "cheerio";

const page = (n) => `<html><head><title>Page ${n}</title><meta name="description" content="About ${n}"></head><body>${Array.from({ length: 250 }, (_, i) => `<div class="c${i % 9}"><a href="/x/${i}">link ${i}</a><p>Text <b>${n}</b> of paragraph ${i}</p></div>`).join("")}</body></html>`;
const pages = Array.from({ length: 20 }, (_, n) => page(n));

function titleOf(text) {
  const $ = cheerio.load(text);
  return { title: $("title").text(), about: $('meta[name="description"]').attr("content") };
}

function messagesAround(number) {
  return Array.from({ length: 60 }, (_, i) => ({ id: number + i, text: `message ${i}`.padEnd(40), likes: (number * i) % 7 })).filter(({ likes }) => likes > 2);
}

createServer((request, response) => {
  const number = Number(request.url.split("/")[2]);
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ preview: titleOf(pages[number % 20]), messages: messagesAround(number) }));
}).listen(Number(process.env.PORT), "127.0.0.1");
