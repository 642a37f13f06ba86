"""The table of a league while its games come in."""

import os

from aiohttp import web

teams = [f"team {n}" for n in range(220)]


def points(home, away):
    return (3, 0) if home > away else (1, 1) if home == away else (0, 3)


def table_after(games):
    table = {team: 0 for team in teams}
    leaders = []
    for home, away, goals_home, goals_away in games:
        for team, won in zip((home, away), points(goals_home, goals_away)):
            table[team] += won
        order = sorted(table.items(), key=lambda entry: (-entry[1], entry[0]))
        leaders.append(order[0][0])
    return table, leaders


def games_of(number):
    return [
        (teams[(number + i) % 220], teams[(number * 3 + i * 7 + 1) % 220], i % 4, (i + number) % 3) for i in range(100)
    ]


async def league(request):
    table, leaders = table_after(games_of(int(request.match_info["number"])))
    changes = sum(a != b for a, b in zip(leaders, leaders[1:]))
    return web.json_response({"changes": changes, "leader": leaders[-1], "points": max(table.values())})


app = web.Application()
app.add_routes([web.get("/leagues/{number}", league)])
web.run_app(app, host="127.0.0.1", port=int(os.environ["PORT"]), print=None)
