// Command payroll writes payslips, and keeps the latest of each employee at hand.
package main

import (
	"net/http"
	"runtime/debug"
	"strconv"
	"sync"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type amount struct {
	cents    int64
	currency *string
}

type position struct {
	title  *string
	gross  *amount
	net    *amount
	before *position
}

type payslip struct {
	employee  int
	last      *position
	positions map[string]*position
}

type office struct {
	titles []string
	mu     sync.RWMutex
	latest map[int]*payslip
}

func newAmount(cents int64) *amount {
	currency := "EUR"
	return &amount{cents, &currency}
}

// payslip has a position for each title.
func (o *office) payslip(employee int) *payslip {
	slip := &payslip{employee: employee, positions: map[string]*position{}}
	for i, title := range o.titles {
		gross := int64(employee*31 + i*97)
		one := &position{title: &title, gross: newAmount(gross), net: newAmount(gross * 6 / 10), before: slip.last}
		slip.last, slip.positions[title] = one, one
	}
	return slip
}

func (o *office) pay(employee int) int {
	slip := o.payslip(employee)
	o.mu.Lock()
	defer o.mu.Unlock()
	o.latest[employee] = slip
	return len(slip.positions)
}

func main() {
	host.Serve(60, []host.Call{{Method: http.MethodPost, Path: "/employees/%d/payslip", Range: 350}}, func(mux *http.ServeMux) {
		debug.SetMemoryLimit(22 << 20) // the container has 32 MiB
		o := &office{titles: sample.Keys("position ", 260), latest: map[int]*payslip{}}
		for employee := range 350 {
			o.pay(employee)
		}
		mux.HandleFunc("POST /employees/{employee}/payslip", func(w http.ResponseWriter, r *http.Request) {
			employee, _ := strconv.Atoi(r.PathValue("employee"))
			_, _ = w.Write(strconv.AppendInt(nil, int64(o.pay(employee)), 10))
		})
	})
}
