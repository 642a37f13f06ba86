"""Browsers of the visitors of a site, from its access log."""

import os
import re

from aiohttp import web

names = ["Edg", "OPR", "Vivaldi", "SamsungBrowser", "UCBrowser", "YaBrowser", "Firefox", "Chrome", "Safari"]
patterns = [(name, re.compile(rf"(?:^|.*[\s;(]){name}/(\d+)\.(\d+).*(?:Mobile|Gecko|like)?.*$")) for name in names]
agents = [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_1 like Mac OS X) AppleWebKit/605.1.15 Version/17.1 Safari/604.1",
    "Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0",
]
log = [(f"/p/{n % 40}", agents[n % 3], (n * 977) % 9000) for n in range(600)]


def browser_of(agent):
    for name, pattern in patterns:
        if pattern.match(agent):
            return name
    return "other"


def bytes_by_path(rows):
    sums = {}
    for path, _, size in rows:
        sums[path] = sums.get(path, 0) + size
    return sorted(sums.items(), key=lambda item: -item[1])


async def visitors(request):
    rows = log[int(request.match_info["number"]) % 400 :][:150]
    counts = {}
    for _, agent, _ in rows:
        name = browser_of(agent)
        counts[name] = counts.get(name, 0) + 1
    return web.json_response({"browsers": counts, "bytes": bytes_by_path(rows)})


app = web.Application()
app.add_routes([web.get(r"/visitors/{number:\d+}", visitors)])
web.run_app(app, host="127.0.0.1", port=int(os.environ["PORT"]), print=None)
