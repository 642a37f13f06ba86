"""Articles that are similar to one, by their vectors."""

import asyncio
import json
import os

import numpy as np
import tornado.web

vectors = [[((n * 37 + i * 11) % 101) / 101 for i in range(64)] for n in range(700)]
titles = [f"article {n}" for n in range(700)]


def nearest(number, count):
    matrix = np.array(vectors)
    wanted = matrix[number]
    norms = np.linalg.norm(matrix, axis=1) * np.linalg.norm(wanted)
    scores = matrix @ wanted / norms
    return np.argsort(-scores)[1 : count + 1], scores


def described(order, scores):
    return [{"title": titles[i], "score": round(float(scores[i]), 4)} for i in order]


class Similar(tornado.web.RequestHandler):
    def get(self, number):
        order, scores = nearest(int(number) % 700, 40)
        self.write(json.dumps(described(order, scores)))


app = tornado.web.Application([(r"/similar/(\d+)", Similar)])


async def main():
    app.listen(int(os.environ["PORT"]), "127.0.0.1")
    await asyncio.Event().wait()


asyncio.run(main())
