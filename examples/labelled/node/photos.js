// The average colour of parts of photos.
import { createServer } from "node:http";

const side = 200;
const photos = Array.from({ length: 5 }, (_, p) => Uint8Array.from({ length: side * side * 3 }, (_one, i) => (i * (p + 7)) % 256));

function pixelAt(photo, x, y) {
  const at = (y * side + x) * 3;
  return { position: { x, y }, colour: [photo[at], photo[at + 1], photo[at + 2]] };
}

function average(photo) {
  const pixels = [];
  for (let y = 0; y < side; y++) for (let x = 0; x < side; x++) pixels.push(pixelAt(photo, x, y));
  const sums = pixels.map(({ colour }) => colour).reduce(([r, g, b], [red, green, blue]) => [r + red, g + green, b + blue], [0, 0, 0]);
  return sums.map((sum) => Math.round(sum / pixels.length));
}

function histogram(photo) {
  const counts = new Uint32Array(16);
  for (const value of photo) counts[value >> 4]++;
  return [...counts];
}

createServer((request, response) => {
  const photo = photos[Number(request.url.split("/")[2]) % 5];
  response.end(JSON.stringify({ average: average(photo), histogram: histogram(photo) }));
}).listen(Number(process.env.PORT), "127.0.0.1");
