// Command donations books donations, and finds the donors.
package main

import (
	"io"
	"log/slog"
	"net/http"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type donor struct {
	number int
	name   string
	cents  int
}

type fund struct {
	log    *slog.Logger
	donors []*donor
}

// find returns the donor with a number.
func (f *fund) find(number int) *donor {
	for _, one := range f.donors {
		if one.number == number {
			return one
		}
	}
	return nil
}

// assign gives the donations of a bank's file to donors.
func (f *fund) assign(from, count int) (cents int) {
	for i := range count {
		if one := f.find((from + i*37) % 12_000); one != nil {
			cents += one.cents
		}
	}
	return cents
}

// book writes a line for each step.
func (f *fund) book(number int) {
	log := f.log.With("donation", number, "fund", "schools")
	for step := range 40 {
		log.Info("booked", slog.Int("step", step), slog.String("account", "4410"), slog.Any("tags", []string{"gift", "tax"}))
	}
}

func main() {
	host.Serve(55, []host.Call{{Weight: 9, Method: http.MethodPost, Path: "/donations/%d"}, {Weight: 1, Method: http.MethodPost, Path: "/files/%d"}}, func(mux *http.ServeMux) {
		f := &fund{log: slog.New(slog.NewJSONHandler(io.Discard, nil))}
		for i, name := range sample.Keys("donor", 3000) {
			f.donors = append(f.donors, &donor{i * 4, name, i})
		}
		mux.HandleFunc("POST /donations/{number}", func(w http.ResponseWriter, r *http.Request) {
			number, _ := strconv.Atoi(r.PathValue("number"))
			f.book(number)
			w.WriteHeader(http.StatusCreated)
		})
		mux.HandleFunc("POST /files/{number}", func(w http.ResponseWriter, r *http.Request) {
			number, _ := strconv.Atoi(r.PathValue("number"))
			_, _ = w.Write(strconv.AppendInt(nil, int64(f.assign(number, 900)), 10))
		})
	})
}
