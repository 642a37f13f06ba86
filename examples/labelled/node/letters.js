// Letters to customers, from templates that the office edits.
import express from "express";
import Handlebars from "handlebars";

const source = `
<h1>Dear {{upper name}}</h1>
{{#each lines}}{{#if count}}<p class="{{@index}}">{{count}} x {{upper title}} at {{money price}}</p>
{{else}}<p>{{title}} is not available.</p>{{/if}}{{/each}}
{{#with home}}<div>{{street}}, {{zip}} {{city}}</div>{{/with}}
<p>Total {{money total}}; we thank you, {{office}}.</p>`;
Handlebars.registerHelper("upper", (text) => text.toUpperCase());
Handlebars.registerHelper("money", (amount) => amount.toFixed(2));

function customer(number) {
  const lines = Array.from({ length: 12 }, (_, i) => ({ count: (number + i) % 3, title: `book ${i}`, price: 4.5 + i }));
  const total = lines.reduce((sum, { price }) => sum + price, 0);
  const home = { street: `Long Street ${number}`, zip: 10_000 + number, city: "Berlin" };
  return { name: `reader ${number}`, lines, home, total, office: "the office" };
}

function writeLetter(number) {
  const template = Handlebars.compile(source);
  return template(customer(number));
}

const app = express();
app.get("/letters/:number", (request, response) => {
  response.send(writeLetter(Number(request.params.number)));
});
app.listen(Number(process.env.PORT), "127.0.0.1");
