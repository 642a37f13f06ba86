import { callRule } from "#rules/call-rule.ts";
import { functions } from "#rules/match.ts";

const parsing = functions(
  "text/template.{ParseFiles,ParseFS,parse*}",
  "text/template.(*Template).{Parse*,Clone}",
  "text/template/parse.*",
  "html/template.{ParseFiles,ParseFS,parse*,escapeTemplate}",
  "html/template.(*Template).{Parse*,escape,Clone}",
);

export const templateParse = callRule({
  id: "template-parse",
  name: "Templates parsed while serving",
  looksAt: "CPU in parsing, cloning and escaping templates below application code, program start left out.",
  select: ({ main }) => main.calls(parsing),
  // As with regular expressions: never needed while serving.
  from: { low: 0.01, medium: 0.025, high: 0.06, isNeverNeeded: true },
  confidence: 0.95,
  saves: 0.95,
  issue: ({ where, share }) => `${where} spends ${share} parsing templates: parse them once at start`,
  impact:
    "Parsing, and for html/template also escaping, costs far more than executing a parsed template. Almost all of it goes away when templates are parsed once.",
  solution: ({ where }) =>
    `Parse the templates once, in package variables with template.Must, and only execute them in ${where}: a parsed template is safe for concurrent use. If texts come from users, keep the parsed ones in a bounded cache by their text.`,
  example: `import (
	"html/template"
	"io"
)

// Parsed once, when the program starts.
var page = template.Must(template.New("page").Parse("<h1>{{.Title}}</h1>"))

func writePage(to io.Writer, title string) error {
	return page.Execute(to, struct{ Title string }{title})
}
`,
});
