// Command insurers compares the offers of insurance companies.
package main

import (
	"net/http"
	"strconv"
	"time"

	"example.com/services/internal/host"
)

type company struct{ address string }

// offer asks a company, however long it thinks about it.
func (c company) offer(age int) (int, error) {
	reply, err := http.Get(c.address + "/offers/" + strconv.Itoa(age))
	if err != nil {
		return 0, err
	}
	defer reply.Body.Close()
	var text [16]byte
	size, _ := reply.Body.Read(text[:])
	return strconv.Atoi(string(text[:size]))
}

func cheapest(companies []company, age int) (best int, err error) {
	for _, one := range companies {
		cents, err := one.offer(age)
		if err != nil {
			return 0, err
		}
		if best == 0 || cents < best {
			best = cents
		}
	}
	return best, nil
}

func main() {
	host.Run(host.Service{
		Everyday: 70,
		Calls:    []host.Call{{Path: "/insurances/%d", Range: 90}},
		Upstream: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if time.Now().UnixMilli()%10 < 4 {
				time.Sleep(9 * time.Second)
			}
			_, _ = w.Write([]byte("4990"))
		}),
		Routes: func(mux *http.ServeMux, upstream string) {
			companies := []company{{upstream}, {upstream}}
			mux.HandleFunc("GET /insurances/{age}", func(w http.ResponseWriter, r *http.Request) {
				age, _ := strconv.Atoi(r.PathValue("age"))
				cents, err := cheapest(companies, age)
				if err != nil {
					http.Error(w, err.Error(), http.StatusBadGateway)
					return
				}
				_, _ = w.Write(strconv.AppendInt(nil, int64(cents), 10))
			})
		},
	})
}
