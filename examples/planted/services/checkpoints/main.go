// Command checkpoints decides which requests of partners may pass, by their networks.
package main

import (
	"net"
	"net/http"

	"example.com/services/internal/host"
)

type checkpoint struct{ networks []string }

// pass answers whether the address belongs to a partner.
func (c *checkpoint) pass(w http.ResponseWriter, r *http.Request) {
	address := net.ParseIP(r.URL.Query().Get("address"))
	if address == nil || !c.isPartner(address) {
		w.WriteHeader(http.StatusForbidden)
	}
}

func (c *checkpoint) isPartner(address net.IP) bool {
	for _, network := range c.networks {
		_, block, err := net.ParseCIDR(network)
		if err == nil && block.Contains(address) {
			return true
		}
	}
	return false
}

func partners() []string {
	networks := make([]string, 0, 240)
	for i := range 240 {
		networks = append(networks, (&net.IPNet{IP: net.IPv4(10, byte(i), 0, 0), Mask: net.CIDRMask(20, 32)}).String())
	}
	return networks
}

func main() {
	host.Serve(60, []host.Call{{Method: http.MethodGet, Path: "/pass?address=172.16.4.%d", Range: 250}}, func(mux *http.ServeMux) {
		c := &checkpoint{networks: partners()}
		mux.HandleFunc("GET /pass", c.pass)
	})
}
