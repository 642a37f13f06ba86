// Command bakeries collects the orders that shops write as lines of text.
package main

import (
	"bufio"
	"fmt"
	"net/http"

	"example.com/services/internal/host"
	"example.com/services/internal/web"
)

type order struct {
	shop, pieces int
	article      string
	cents        int
}

func parse(line string) (o order, err error) {
	_, err = fmt.Sscanf(line, "%d: %d x %s at %d", &o.shop, &o.pieces, &o.article, &o.cents)
	return o, err
}

// day sums up an order list and checks it against the ovens.
type day struct {
	pieces map[string]int
	cents  int
}

func (d *day) add(lines *bufio.Scanner) error {
	for lines.Scan() {
		one, err := parse(lines.Text())
		if err != nil {
			return err
		}
		d.pieces[one.article] += one.pieces
		d.cents += one.cents * one.pieces
	}
	return lines.Err()
}

// ovens finds how many batches of 40 pieces are needed.
func (d *day) ovens() (batches int) {
	for _, pieces := range d.pieces {
		batches += (pieces + 39) / 40
	}
	return batches
}

func orderList(shop int) []byte {
	var list []byte
	for i, article := range []string{"rye", "spelt", "roll", "pretzel", "croissant", "brioche"} {
		for tray := range 40 {
			list = fmt.Appendf(list, "%d: %d x %s at %d\n", shop, 4+tray*i, article, 80+35*i)
		}
	}
	return list
}

func main() {
	host.Serve(45, []host.Call{{Method: http.MethodPost, Path: "/shops/%d/orders", Range: 200, Body: orderList}}, func(mux *http.ServeMux) {
		mux.Handle("POST /shops/{shop}/orders", web.Handler(func(w http.ResponseWriter, r *http.Request) error {
			today := day{pieces: make(map[string]int, 8)}
			if err := today.add(bufio.NewScanner(r.Body)); err != nil {
				return err
			}
			return web.Count(w, today.ovens())
		}))
	})
}
