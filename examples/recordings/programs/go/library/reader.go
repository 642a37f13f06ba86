package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/format"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"html/template"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"text/tabwriter"
)

// packages are of different sizes and styles.
var packages = []string{
	"archive/tar", "bufio", "bytes", "container/heap", "encoding/json", "encoding/xml", "fmt", "go/ast", "html/template",
	"image/png", "math/big", "net/url", "regexp/syntax", "sort", "strconv", "strings", "text/template", "time",
}

// shelf is one package: its files by name.
type shelf struct {
	path  string
	files map[string][]byte
}

func readShelves(root string) ([]shelf, error) {
	var shelves []shelf
	for _, path := range packages {
		names, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(path), "*.go"))
		if err != nil || len(names) == 0 {
			return nil, fmt.Errorf("no sources of %s under %s: %w", path, root, err)
		}
		one := shelf{path, make(map[string][]byte)}
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			if one.files[filepath.Base(name)], err = os.ReadFile(name); err != nil {
				return nil, err
			}
		}
		shelves = append(shelves, one)
	}
	return shelves, nil
}

type reader struct {
	shelves []shelf
	next    int
}

func (r *reader) work() {
	for ; ; r.next++ {
		one := r.shelves[r.next%len(r.shelves)]
		set := token.NewFileSet()
		files := parse(set, one)
		check(set, one, files)
		index := describe(set, files)
		page := render(one, index)
		store(page, encode(index))
		for _, source := range one.files {
			search(source)
		}
		for _, file := range files {
			_ = format.Node(io.Discard, set, file)
		}
	}
}

func parse(set *token.FileSet, one shelf) []*ast.File {
	var files []*ast.File
	for name, source := range one.files {
		if file, err := parser.ParseFile(set, name, source, parser.ParseComments); err == nil {
			files = append(files, file)
		}
	}
	return files
}

// check finds the types of what needs no other package; errors about the rest
// are expected.
func check(set *token.FileSet, one shelf, files []*ast.File) {
	config := types.Config{Importer: importer.Default(), Error: func(error) {}}
	_, _ = config.Check(one.path, set, files, &types.Info{Types: map[ast.Expr]types.TypeAndValue{}})
}

type entry struct {
	Name, Kind, Doc string
	Line, Size      int
}

func describe(set *token.FileSet, files []*ast.File) []entry {
	var index []entry
	for _, file := range files {
		ast.Inspect(file, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.FuncDecl:
				index = append(index, entry{node.Name.Name, "func", node.Doc.Text(), set.Position(node.Pos()).Line, int(node.End() - node.Pos())})
			case *ast.TypeSpec:
				index = append(index, entry{node.Name.Name, "type", node.Doc.Text(), set.Position(node.Pos()).Line, int(node.End() - node.Pos())})
			}
			return true
		})
	}
	sort.Slice(index, func(i, j int) bool { return index[i].Name < index[j].Name })
	return index
}

var page = template.Must(template.New("page").Parse(
	`<h1>{{.Path}}</h1>{{range .Index}}<p id="{{.Name}}"><b>{{.Kind}} {{.Name}}</b> line {{.Line}}, {{printf "%d bytes" .Size}}: {{.Doc}}</p>{{end}}`))

func render(one shelf, index []entry) []byte {
	var out bytes.Buffer
	_ = page.Execute(&out, struct {
		Path  string
		Index []entry
	}{one.path, index})
	table := tabwriter.NewWriter(&out, 4, 8, 1, ' ', 0)
	for _, each := range index {
		fmt.Fprintf(table, "%s\t%s\t%d\n", each.Name, each.Kind, each.Line)
	}
	table.Flush()
	return out.Bytes()
}

func encode(index []entry) []byte {
	text, err := json.MarshalIndent(index, "", " ")
	if err != nil {
		return nil
	}
	var back []map[string]any
	_ = json.Unmarshal(text, &back)
	return text
}

func store(parts ...[]byte) {
	w, _ := gzip.NewWriterLevel(io.Discard, gzip.DefaultCompression)
	for _, part := range parts {
		sum := sha256.Sum256(part)
		_, _ = w.Write(sum[:])
		_, _ = w.Write(part)
	}
	_ = w.Close()
}

var todo = regexp.MustCompile(`(?i)\b(todo|bug|deprecated)\b[:( ][^\n]{0,80}`)

func search(source []byte) {
	for _, match := range todo.FindAll(source, -1) {
		_ = strings.Fields(strings.ToLower(string(match)))
	}
}
