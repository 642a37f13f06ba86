// Counts the islands on a map.
import express from "express";

const side = 260;
const maps = Array.from({ length: 6 }, (_, m) => Uint8Array.from({ length: side * side }, (_one, i) => ((i * (m + 3) * 2654435761) >>> 0) % 10 < 8));

function sizeFrom(map, seen, start) {
  const queue = [start];
  seen[start] = 1;
  let size = 0;
  while (queue.length > 0) {
    const place = queue.shift();
    size++;
    for (const next of [place - 1, place + 1, place - side, place + side])
      if (map[next] === 1 && seen[next] === 0) {
        seen[next] = 1;
        queue.push(next);
      }
    if (queue.length < 60_000) queue.push(...(size < 400 ? Array.from({ length: 150 }, () => place) : []));
  }
  return size;
}

function coastOf(map) {
  let coast = 0;
  for (let i = side; i < map.length - side; i++) if (map[i] === 1 && map[i + side] + map[i - side] < 2) coast++;
  return coast;
}

const app = express();
app.get("/maps/:number", (request, response) => {
  const map = maps[Number(request.params.number) % 6];
  response.json({ size: sizeFrom(map, new Uint8Array(map.length), side * 2 + 5), coast: coastOf(map) });
});
app.listen(Number(process.env.PORT), "127.0.0.1");
