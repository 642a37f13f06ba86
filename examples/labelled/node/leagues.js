// The table of a league while its games come in.
import { createServer } from "node:http";

const teams = Array.from({ length: 220 }, (_, n) => `team ${n}`);

function gamesOf(number) {
  return Array.from({ length: 120 }, (_, i) => ({
    home: teams[(number + i) % 220],
    away: teams[(number * 3 + i * 7 + 1) % 220],
    goals: [i % 4, (i + number) % 3],
  }));
}

function tableAfter(games) {
  const points = new Map(teams.map((team) => [team, 0]));
  const leaders = [];
  for (const { home, away, goals } of games) {
    const [ofHome, ofAway] = goals[0] > goals[1] ? [3, 0] : goals[0] === goals[1] ? [1, 1] : [0, 3];
    points.set(home, points.get(home) + ofHome);
    points.set(away, points.get(away) + ofAway);
    const order = [...points].sort(([a, p], [b, q]) => q - p || a.localeCompare(b));
    leaders.push(order[0][0]);
  }
  return { leaders, best: Math.max(...points.values()) };
}

createServer((request, response) => {
  const { leaders, best } = tableAfter(gamesOf(Number(request.url.split("/")[2])));
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ leader: leaders.at(-1), changes: new Set(leaders).size, best }));
}).listen(Number(process.env.PORT), "127.0.0.1");
