// Reads sheets whose cells are numbers or notes.
import express from "express";

const sheets = Array.from({ length: 10 }, () =>
  Array.from({ length: 400 }, (_, row) => ["n/a", "-", `note ${row}`, "", `${row}.5`, "unknown"]),
);

class NotANumber extends Error {
  constructor(cell, row, column) {
    super(`cell ${row}:${column} with ${cell} is not a number`);
    this.name = "NotANumber";
  }
}

function numberIn(cell, row, column) {
  const value = Number.parseFloat(cell);
  if (Number.isNaN(value)) throw new NotANumber(cell, row, column);
  return value;
}

function columnSums(sheet) {
  const sums = [0, 0, 0, 0, 0, 0];
  let notes = 0;
  for (const [row, cells] of sheet.entries())
    for (const [column, cell] of cells.entries()) {
      try {
        sums[column] += numberIn(cell, row, column);
      } catch (error) {
        if (!(error instanceof NotANumber)) throw error;
        notes++;
      }
    }
  return { sums, notes };
}

const app = express();
app.get("/sheets/:number", (request, response) => {
  const sheet = sheets[Number(request.params.number) % 10];
  const widths = [0, 1, 2, 3, 4, 5].map((column) => Math.max(...sheet.map((cells) => cells[column].length)));
  response.json({ ...columnSums(sheet), widths });
});
app.listen(Number(process.env.PORT), "127.0.0.1");
