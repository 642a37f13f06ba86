// Command loyalty keeps the points of customers.
package main

import (
	"net/http"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
	"example.com/services/loyalty/api"
)

type booking struct {
	shop   string
	points int
}

type account struct{ bookings []booking }

func (a *account) statement(number int) map[string]any {
	rows := make([]any, 0, len(a.bookings))
	sum := 0
	for i, one := range a.bookings {
		sum += one.points
		rows = append(rows, map[string]any{"number": i, "shop": one.shop, "points": one.points, "balance": sum})
	}
	return map[string]any{"account": number, "rows": rows, "balance": sum}
}

func main() {
	host.Serve(60, []host.Call{{Weight: 3, Path: "/accounts/%d"}, {Path: "/accounts/%d/balance"}}, func(mux *http.ServeMux) {
		one := &account{}
		for i, shop := range sample.Words(301, 40) {
			one.bookings = append(one.bookings, booking{shop, i * 7 % 90})
		}
		mux.HandleFunc("GET /accounts/{number}", func(w http.ResponseWriter, r *http.Request) {
			number, _ := strconv.Atoi(r.PathValue("number"))
			_ = api.Write(w, r, one.statement(number))
		})
		mux.HandleFunc("GET /accounts/{number}/balance", func(w http.ResponseWriter, _ *http.Request) {
			sum := 0
			for _, one := range one.bookings {
				sum += one.points
			}
			_, _ = w.Write(strconv.AppendInt(nil, int64(sum), 10))
		})
	})
}
