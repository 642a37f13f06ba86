"""Shortest ways through a city."""

import heapq
import os

from aiohttp import web

SIDE = 60
roads = {}
for x in range(SIDE):
    for y in range(SIDE):
        near = [(x + dx, y + dy) for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0))]
        roads[x, y] = [((a, b), 1 + (a * 7 + b * 13 + x) % 9) for a, b in near if 0 <= a < SIDE and 0 <= b < SIDE]


def shortest(start, end):
    distances = {start: 0}
    queue = [(0, start)]
    while queue:
        distance, place = heapq.heappop(queue)
        if place == end:
            return distance
        if distance > distances[place]:
            continue
        for neighbour, length in roads[place]:
            way = distance + length
            if way < distances.get(neighbour, 1 << 30):
                distances[neighbour] = way
                heapq.heappush(queue, (way, neighbour))
    return None


async def route(request):
    number = int(request.match_info["number"])
    start, end = (number % SIDE, number * 7 % SIDE), (number * 3 % SIDE, number * 11 % SIDE)
    return web.json_response({"from": start, "to": end, "length": shortest(start, end)})


app = web.Application()
app.add_routes([web.get("/routes/{number}", route)])
web.run_app(app, host="127.0.0.1", port=int(os.environ["PORT"]), print=None)
