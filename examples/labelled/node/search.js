// Full-text search over articles, with an index in memory.
import express from "express";

const vocabulary = Array.from({ length: 800 }, (_, n) => `word${n}`);
const articles = Array.from({ length: 3000 }, (_, a) => Array.from({ length: 120 }, (_one, i) => vocabulary[(a * 31 + i * i * 7) % 800]));
const index = new Map();
for (const [number, words] of articles.entries())
  for (const word of words) {
    if (!index.has(word)) index.set(word, new Map());
    const found = index.get(word);
    found.set(number, (found.get(number) ?? 0) + 1);
  }

function scores(words) {
  const result = new Float64Array(articles.length);
  for (const word of words) {
    const found = index.get(word) ?? new Map();
    const weight = Math.log(articles.length / (1 + found.size));
    for (const [article, count] of found) result[article] += (weight * count) / (count + 1.2);
  }
  return result;
}

function best(found, count) {
  const hits = [...found.entries()].filter(([, score]) => score > 0);
  return hits.sort(([, a], [, b]) => b - a).slice(0, count);
}

const app = express();
app.get("/search/:number", (request, response) => {
  const number = Number(request.params.number);
  const words = Array.from({ length: 8 }, (_, i) => vocabulary[(number * 13 + i * 7) % 800]);
  response.json({ words, best: best(scores(words), 10) });
});
app.listen(Number(process.env.PORT), "127.0.0.1");
