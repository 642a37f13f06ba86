import { callRule } from "#rules/call-rule.ts";
import { functions } from "#rules/match.ts";

const executing = functions(
  "text/template.(*state).*",
  "text/template.(*Template).execute*",
  "github.com/flosch/pongo2*",
  "github.com/CloudyKit/jet*",
  "github.com/aymerich/raymond*",
  "github.com/cbroglie/mustache*",
  "github.com/yuin/goldmark*",
);
const parsing = functions("text/template/parse.*", "html/template.(*Template).escape");

export const templateExecution = callRule({
  id: "template-execution",
  name: "Template execution for each request",
  looksAt: "CPU in executing text/template and html/template, what the template calls included.",
  yieldsTo: ["template-parse"],
  select: ({ main }) => main.through(executing).without(parsing),
  // Pages need templates; whether one can be kept rendered cannot be seen from outside: never high.
  from: { low: 0.06, medium: 0.12 },
  confidence: 0.8,
  saves: 0.6,
  issue: ({ where, share }) => `${where} spends ${share} executing templates: cache the rendered parts`,
  impact:
    "The template engine interprets: every field, comparison and function call goes through reflection. Parts that are the same for many requests can be rendered once; plain Go code renders the rest several times faster.",
  solution: ({ where }) =>
    `In ${where}: render what does not depend on the request once and keep the bytes for seconds or until the data changes; prepare values in Go instead of calling functions and methods in {{range}}; write the hottest fragment as Go code (append, or a compiled template language such as templ).`,
  example: `import (
	"bytes"
	"html/template"
	"sync/atomic"
)

var list = template.Must(template.New("list").Parse("{{range .}}<li>{{.}}</li>{{end}}"))

// menu keeps the rendered list until its entries change.
type menu struct{ rendered atomic.Pointer[[]byte] }

func (m *menu) set(entries []string) error {
	var page bytes.Buffer
	if err := list.Execute(&page, entries); err != nil {
		return err
	}
	text := page.Bytes()
	m.rendered.Store(&text)
	return nil
}

func (m *menu) html() []byte {
	if text := m.rendered.Load(); text != nil {
		return *text
	}
	return nil
}
`,
});
