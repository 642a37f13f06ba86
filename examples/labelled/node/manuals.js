// Manuals of machines, written in Markdown.
import express from "express";
import { marked } from "marked";

const chapter = (n) => `## Chapter ${n}\n\nTurn the *red* wheel ${n} times, see [part ${n}](#p${n}).\n\n- first\n- second with \`code\`\n\n| a | b |\n|---|---|\n| ${n} | ${n * 2} |\n\n`;
const manuals = Array.from({ length: 12 }, (_, m) => Array.from({ length: 30 }, (_one, n) => chapter(m + n)).join(""));
const readers = new Map();

function manualPage(number) {
  return `<main>${marked.parse(manuals[number % 12])}</main>`;
}

function countReader(number) {
  readers.set(number % 1000, (readers.get(number % 1000) ?? 0) + 1);
  return [...readers.values()].reduce((sum, count) => sum + count, 0);
}

const app = express();
app.get("/manuals/:number", (request, response) => {
  const number = Number(request.params.number);
  response.send(`${manualPage(number)}<footer>read ${countReader(number)} times</footer>`);
});
app.listen(Number(process.env.PORT), "127.0.0.1");
