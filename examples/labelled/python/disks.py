"""Free space of the disks of a host."""

import json
import os
import subprocess

import tornado.ioloop
import tornado.web

history = []


def free_space():
    result = subprocess.run(["df", "-k"], capture_output=True, text=True, check=False)
    rows = [line.split() for line in result.stdout.splitlines()[1:]]
    return {row[-1]: int(row[3]) for row in rows if len(row) > 5 and row[3].isdigit()}


def trend(free):
    history.append(sum(free.values()))
    del history[:-300]
    return [later - earlier for earlier, later in zip(history, history[1:])]


class Disks(tornado.web.RequestHandler):
    def get(self, _number):
        free = free_space()
        self.write(json.dumps({"free": free, "trend": trend(free)}))


tornado.web.Application([(r"/disks/(\d+)", Disks)]).listen(int(os.environ["PORT"]), "127.0.0.1")
tornado.ioloop.IOLoop.current().start()
