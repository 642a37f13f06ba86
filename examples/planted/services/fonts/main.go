// Command fonts delivers typefaces that designers replace on disk at any time.
package main

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
	"example.com/services/internal/web"
)

type foundry struct{ folder string }

var weights = [...]string{"thin", "light", "regular", "medium", "bold", "black"}

// newest is the weight of a family that was changed last.
func (f *foundry) newest(family string) (weight string, err error) {
	latest := int64(0)
	for _, one := range weights {
		info, err := os.Stat(filepath.Join(f.folder, family, one+".woff2"))
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		if changed := info.ModTime().UnixNano(); changed > latest {
			latest, weight = changed, one
		}
	}
	return weight, nil
}

// stylesheet names the newest files of the families of a page.
func (f *foundry) stylesheet(page int) (css []byte, err error) {
	for i := range 8 {
		family := strconv.Itoa((page + i) % 20)
		weight, err := f.newest(family)
		if err != nil {
			return nil, err
		}
		css = append(css, "@font-face{font-family:f"+family+";src:url("+weight+".woff2)}\n"...)
	}
	return css, nil
}

func open() (*foundry, error) {
	folder, err := os.MkdirTemp("", "fonts")
	if err != nil {
		return nil, err
	}
	for family := range 20 {
		path := filepath.Join(folder, strconv.Itoa(family))
		if err := os.Mkdir(path, 0o755); err != nil {
			return nil, err
		}
		for _, weight := range weights[family%3:] {
			if err := os.WriteFile(filepath.Join(path, weight+".woff2"), sample.Bytes(uint64(family), 900), 0o644); err != nil {
				return nil, err
			}
		}
	}
	return &foundry{folder}, nil
}

func main() {
	host.Serve(50, []host.Call{{Path: "/pages/%d/fonts.css"}}, func(mux *http.ServeMux) {
		f, err := open()
		if err != nil {
			panic(err)
		}
		mux.Handle("GET /pages/{page}/fonts.css", web.Handler(func(w http.ResponseWriter, r *http.Request) error {
			css, err := f.stylesheet(web.Number(r, "page"))
			if err != nil {
				return err
			}
			w.Header().Set("Content-Type", "text/css")
			_, err = w.Write(css)
			return err
		}))
	})
}
