// Command heirlooms estimates old things, with the prices of an auction house, and reads their descriptions.
package main

import (
	"context"
	"encoding/json"
	"net/http"
	"regexp"
	"strconv"
	"sync"
	"time"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type estimate struct {
	Cents int `json:"cents"`
}

type house struct {
	client *http.Client
	base   string
}

func (h *house) ask(ctx context.Context, kind int) (one estimate, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, h.base+"/kinds/"+strconv.Itoa(kind), nil)
	if err != nil {
		return one, err
	}
	reply, err := h.client.Do(request)
	if err != nil {
		return one, err
	}
	defer reply.Body.Close()
	err = json.NewDecoder(reply.Body).Decode(&one)
	return one, err
}

type estimates struct {
	mu    sync.RWMutex
	house *house
	cents [30]int
	asked [30]time.Time
}

// refresh asks the house again after a while.
func (e *estimates) refresh(ctx context.Context, kind int) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if time.Since(e.asked[kind]) < 60*time.Millisecond {
		return nil
	}
	one, err := e.house.ask(ctx, kind)
	if err == nil {
		e.cents[kind], e.asked[kind] = one.Cents, time.Now()
	}
	return err
}

// years finds the dates in a description, written in the way of a country.
func years(text, separator string) (found []string, err error) {
	for _, order := range []string{`\d{2}%\d{2}%(1[789]\d{2})`, `(1[789]\d{2})%\d{2}%\d{2}`} {
		pattern, err := regexp.Compile(`\b` + regexp.MustCompile(`%`).ReplaceAllLiteralString(order, regexp.QuoteMeta(separator)) + `\b`)
		if err != nil {
			return nil, err
		}
		found = append(found, pattern.FindAllString(text, -1)...)
	}
	return found, nil
}

func main() {
	host.Run(host.Service{
		Everyday: 45,
		Calls:    []host.Call{{Weight: 2, Path: "/kinds/%d"}, {Weight: 5, Path: "/descriptions/%d/years"}},
		Upstream: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			time.Sleep(6 * time.Millisecond)
			_, _ = w.Write([]byte(`{"cents":129900}`))
		}),
		Routes: func(mux *http.ServeMux, upstream string) {
			e := &estimates{house: &house{&http.Client{Timeout: time.Second}, upstream}}
			text := string(sample.Text(211, 900)) + "made 12.04.1871 and sold 1904-05-11"
			mux.HandleFunc("GET /kinds/{kind}", func(w http.ResponseWriter, r *http.Request) {
				kind, _ := strconv.Atoi(r.PathValue("kind"))
				if err := e.refresh(r.Context(), kind%30); err != nil {
					http.Error(w, err.Error(), http.StatusBadGateway)
				}
			})
			mux.HandleFunc("GET /descriptions/{number}/years", func(w http.ResponseWriter, _ *http.Request) {
				count := 0
				for _, separator := range []string{".", "-"} {
					if found, err := years(text, separator); err == nil {
						count += len(found)
					}
				}
				_, _ = w.Write(strconv.AppendInt(nil, int64(count), 10))
			})
		},
	})
}
