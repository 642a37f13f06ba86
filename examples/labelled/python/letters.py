"""Letters to customers, from templates that the office edits."""

import os

from flask import Flask, Response
from jinja2 import Template
from waitress import serve

app = Flask(__name__)
LETTER = """
<html><body><h1>Dear {{ name|title }}</h1>
{% for line in lines %}{% if line.count > 0 %}
  <p class="{{ loop.cycle('odd', 'even') }}">{{ line.count }} x {{ line.title|upper }} at {{ '%.2f'|format(line.price) }}</p>
{% else %}<p>{{ line.title }} is not available.</p>{% endif %}{% endfor %}
{% macro address(a) %}<div>{{ a.street }}, {{ a.zip }} {{ a.city }}</div>{% endmacro %}
{{ address(home) }} {% if work %}{{ address(work) }}{% endif %}
<p>Total {{ lines|sum(attribute='price') }}; we thank you, {{ office }}.</p></body></html>
"""


def customer(number):
    home = {"street": f"Long Street {number}", "zip": 10000 + number, "city": "Berlin"}
    lines = [{"count": (number + i) % 3, "title": f"book {i}", "price": 4.5 + i} for i in range(12)]
    return {"name": f"reader {number}", "home": home, "lines": lines, "office": "the office"}


def write_letter(number):
    template = Template(LETTER)
    return template.render(**customer(number))


@app.get("/letters/<int:number>")
def letter(number):
    return Response(write_letter(number), mimetype="text/html")


serve(app, host="127.0.0.1", port=int(os.environ["PORT"]))
