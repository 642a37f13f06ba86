// Checkout prices the orders of a page. SLOW names a regression that is switched on.
package main

import (
	"encoding/json"
	"log"
	"net/http"
	_ "net/http/pprof"
	"os"
	"strconv"
)

var slow = os.Getenv("SLOW")

func checkout(w http.ResponseWriter, r *http.Request) {
	number, err := strconv.Atoi(r.PathValue("number"))
	if err != nil {
		http.Error(w, "no such order", http.StatusNotFound)
		return
	}
	replies := []map[string]any{}
	for i := range 40 {
		order := orderOf(number + i)
		replies = append(replies, map[string]any{
			"total":   total(order),
			"blocked": blocked(order),
			"label":   label(order),
			"best":    best(order),
			"day":     deliveryDay(order),
			"receipt": receipt(order),
		})
	}
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(replies); err != nil {
		log.Print(err)
	}
}

func main() {
	http.HandleFunc("GET /orders/{number}", checkout)
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}
