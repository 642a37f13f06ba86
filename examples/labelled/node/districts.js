// The district of a place. The map of all districts is a text, as it came from the office.
import { createServer } from "node:http";

const shape = (n) => ({ type: "Feature", properties: { name: `district ${n}`, code: n }, geometry: { type: "Polygon", coordinates: [Array.from({ length: 40 }, (_, i) => [n + i / 50, n - i / 70])] } });
const mapText = JSON.stringify({ type: "FeatureCollection", features: Array.from({ length: 120 }, (_, n) => shape(n)) });
const asked = new Map();

function districtAt(x) {
  const { features } = JSON.parse(mapText);
  return features.find(({ geometry }) => geometry.coordinates[0].some(([east]) => Math.abs(east - x) < 0.01))?.properties;
}

function nearby(x) {
  asked.set(x, (asked.get(x) ?? 0) + 1);
  return [...asked].filter(([other]) => Math.abs(other - x) < 5).sort(([, a], [, b]) => b - a).slice(0, 10);
}

createServer((request, response) => {
  const x = Number(request.url.split("/")[2]) % 120;
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ district: districtAt(x), nearby: nearby(x) }));
}).listen(Number(process.env.PORT), "127.0.0.1");
