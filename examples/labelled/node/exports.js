// Exports of measurements as compressed CSV.
import { createServer } from "node:http";
import { gzipSync } from "node:zlib";

const series = Array.from({ length: 20 }, (_, s) =>
  Array.from({ length: 1500 }, (_one, i) => ({
    time: 1_760_000_000 + i * 60,
    temperature: 20 + Math.sin(i / 60 + s) * 6 + Math.random(),
    light: Math.random() * 900,
  })),
);

function rowsOf(number) {
  const rows = series[number % 20].map(
    ({ time, temperature, light }) => `${time},${temperature.toFixed(3)},${light.toFixed(1)}`,
  );
  return `time,temperature,light\n${rows.join("\n")}\n`;
}

function packed(text) {
  return gzipSync(text, { level: 9 });
}

createServer((request, response) => {
  const number = Number(request.url.split("/")[2]);
  response.setHeader("content-type", "text/csv");
  response.setHeader("content-encoding", "gzip");
  response.end(packed(rowsOf(number)));
}).listen(Number(process.env.PORT), "127.0.0.1");
