"""Pages of a magazine; templates are compiled once."""

import os

from flask import Flask
from jinja2 import DictLoader
from waitress import serve

app = Flask(__name__)
app.jinja_loader = DictLoader(
    {
        "base.html": "<html><head><title>{{ title }}</title></head><body>{% block body %}{% endblock %}</body></html>",
        "issue.html": """{% extends "base.html" %}{% block body %}{% for article in articles %}
<article id="a{{ article.id }}"><h2>{{ article.title }}</h2><p>by {{ article.author }}</p>
{% for paragraph in article.text %}<p>{{ paragraph }}</p>{% endfor %}
{% if article.tags %}<ul>{% for tag in article.tags %}<li>{{ tag }}</li>{% endfor %}</ul>{% endif %}</article>
{% endfor %}{% endblock %}""",
    }
)
issue = app.jinja_env.get_template("issue.html")


def articles_of(number):
    return [
        {
            "id": number * 100 + i,
            "title": f"Article <{i}>",
            "author": f"author {i % 7}",
            "text": [f"Paragraph {p} & more" for p in range(8)],
            "tags": [f"tag{t}" for t in range(i % 5)],
        }
        for i in range(40)
    ]


@app.get("/issues/<int:number>")
def show(number):
    return issue.render(title=f"Issue {number}", articles=articles_of(number))


serve(app, host="127.0.0.1", port=int(os.environ["PORT"]))
