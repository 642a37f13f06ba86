// Shortest ways through a city.
import Fastify from "fastify";

const side = 120;
const lengthOf = (from, to) => 1 + ((from * 7 + to * 13) % 9);

class Heap {
  #items = [];
  get size() {
    return this.#items.length;
  }
  push(item) {
    const items = this.#items;
    let at = items.push(item) - 1;
    while (at > 0 && items[(at - 1) >> 1].distance > item.distance) {
      items[at] = items[(at - 1) >> 1];
      at = (at - 1) >> 1;
    }
    items[at] = item;
  }
  pop() {
    const items = this.#items;
    const first = items[0];
    const last = items.pop();
    let at = 0;
    while (items.length > 0) {
      let child = 2 * at + 1;
      if (child + 1 < items.length && items[child + 1].distance < items[child].distance) child++;
      if (child >= items.length || items[child].distance >= last.distance) break;
      items[at] = items[child];
      at = child;
    }
    if (items.length > 0) items[at] = last;
    return first;
  }
}

function shortest(start, end) {
  const distances = new Float64Array(side * side).fill(Number.POSITIVE_INFINITY);
  distances[start] = 0;
  const queue = new Heap();
  queue.push({ distance: 0, place: start });
  while (queue.size > 0) {
    const { distance, place } = queue.pop();
    if (place === end) return distance;
    if (distance > distances[place]) continue;
    for (const step of [-side, -1, 1, side]) {
      const near = place + step;
      if (near < 0 || near >= side * side) continue;
      const way = distance + lengthOf(place, near);
      if (way >= distances[near]) continue;
      distances[near] = way;
      queue.push({ distance: way, place: near });
    }
  }
  return undefined;
}

const app = Fastify();
app.get("/routes/:number", async (request) => {
  const number = Number(request.params.number);
  return { length: shortest((number * 37) % (side * side), (number * 1013) % (side * side)) };
});
await app.listen({ host: "127.0.0.1", port: Number(process.env.PORT) });
