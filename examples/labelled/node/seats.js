// Seats of shows in SQLite.
import { createServer } from "node:http";
import { DatabaseSync } from "node:sqlite";

const db = new DatabaseSync(":memory:");
db.exec("CREATE TABLE seat (show INTEGER, number INTEGER, price INTEGER, guest TEXT, PRIMARY KEY (show, number))");
const add = db.prepare("INSERT INTO seat VALUES (?, ?, ?, ?)");
db.exec("BEGIN");
for (let show = 0; show < 60; show++)
  for (let seat = 0; seat < 150; seat++) add.run(show, seat, 900 + seat * 10, seat % 3 === 0 ? `guest ${seat}` : null);
db.exec("COMMIT");

function seatOf(show, number) {
  return db.prepare("SELECT number, price, guest FROM seat WHERE show = ? AND number = ?").get(show, number);
}

function plan(show) {
  const rows = [];
  for (let row = 0; row < 10; row++) {
    const seats = Array.from({ length: 15 }, (_, i) => seatOf(show, row * 15 + i));
    rows.push({ row, free: seats.filter(({ guest }) => guest === null), price: Math.max(...seats.map(({ price }) => price)) });
  }
  return rows;
}

createServer((request, response) => {
  const show = Number(request.url.split("/")[2]) % 60;
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ show, rows: plan(show) }));
}).listen(Number(process.env.PORT), "127.0.0.1");
