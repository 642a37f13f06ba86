// Pages of a magazine; templates are compiled once.
import express from "express";
import Handlebars from "handlebars";

const issue = Handlebars.compile(`
<html><head><title>{{title}}</title></head><body>{{#each articles}}
<article id="a{{id}}"><h2>{{title}}</h2><p>by {{author}}</p>
{{#each text}}<p>{{this}}</p>{{/each}}
{{#if tags.length}}<ul>{{#each tags}}<li>{{this}}</li>{{/each}}</ul>{{/if}}</article>{{/each}}</body></html>`);

function articlesOf(number) {
  return Array.from({ length: 60 }, (_, i) => ({
    id: number * 100 + i,
    title: `Article <${i}>`,
    author: `author ${i % 7}`,
    text: Array.from({ length: 8 }, (_one, p) => `Paragraph ${p} & more`),
    tags: Array.from({ length: i % 5 }, (_one, t) => `tag${t}`),
  }));
}

const app = express();
app.get("/issues/:number", (request, response) => {
  const number = Number(request.params.number);
  response.send(issue({ title: `Issue ${number}`, articles: articlesOf(number) }));
});
app.listen(Number(process.env.PORT), "127.0.0.1");
