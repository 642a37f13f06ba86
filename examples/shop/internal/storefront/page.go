// Package storefront is what a visitor sees: HTML pages put together from the
// other services' JSON.
package storefront

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"net/http"
	"time"

	"shop/internal/catalog"
	"shop/internal/session"
)

// Front fetches from the upstream services and renders pages.
type Front struct {
	Upstream string
	Client   *http.Client
}

// Categories are the sections of the home page.
var Categories = []string{"garden", "kitchen", "lighting", "office", "outdoor", "toys"}

type home struct {
	Visitor  session.Claims
	Sections []section
}

type section struct {
	Title    string
	Products []catalog.Product
}

var homePage = template.Must(template.New("home").Funcs(template.FuncMap{
	"money": func(cents int64) string { return fmt.Sprintf("%d.%02d", cents/100, cents%100) },
}).Parse(`<!doctype html><title>Shop</title><p>Hello {{.Visitor.User}} of {{.Visitor.Tenant}}</p>
{{range .Sections}}<section><h2>{{.Title}}</h2><ul>
{{range .Products}}<li><a href="/p/{{.ID}}">{{.Name}}</a> <b>{{money .PriceCents}}</b>
<p>{{.Description}}</p>{{range $name, $value := .Attributes}}<i title="{{$name}}">{{$value}}</i>{{end}}</li>{{end}}
</ul></section>{{end}}`))

// Home writes the home page, compressed.
func (f *Front) Home(ctx context.Context, w io.Writer, visitor session.Claims) error {
	page := home{Visitor: visitor}
	for _, category := range Categories {
		products, err := f.products(ctx, category)
		if err != nil {
			return err
		}
		page.Sections = append(page.Sections, section{Title: category, Products: products})
	}
	return compress(w, func(out io.Writer) error { return homePage.Execute(out, page) })
}

func (f *Front) products(ctx context.Context, category string) ([]catalog.Product, error) {
	body, err := f.get(ctx, "/products?limit=40&category="+category)
	if err != nil {
		return nil, err
	}
	var products []catalog.Product
	return products, json.Unmarshal(body, &products)
}

func (f *Front) get(ctx context.Context, path string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, f.Upstream+path, nil)
	if err != nil {
		return nil, err
	}
	reply, err := f.Client.Do(request)
	if err != nil {
		return nil, err
	}
	defer reply.Body.Close()
	if reply.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("upstream answered %s", reply.Status)
	}
	return io.ReadAll(reply.Body)
}

func compress(w io.Writer, write func(io.Writer) error) error {
	out := gzip.NewWriter(w)
	if err := write(out); err != nil {
		return err
	}
	return out.Close()
}
