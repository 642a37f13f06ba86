// Command passports compares applications with the register, and draws serial numbers.
package main

import (
	"crypto/rand"
	"math/big"
	"net/http"
	"reflect"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type application struct {
	Name, Town, Street string
	Height             int
	Former             []string
}

// differences counts the fields that are not the same.
func differences(one, other application) (count int) {
	first, second := reflect.ValueOf(one), reflect.ValueOf(other)
	for field := range first.NumField() {
		if !reflect.DeepEqual(first.Field(field).Interface(), second.Field(field).Interface()) {
			count++
		}
	}
	return count
}

type office struct {
	register []application
	limit    *big.Int
}

func (o *office) compare(with []application) (count int) {
	for i := range with {
		count += differences(o.register[i], with[i])
	}
	return count
}

// serial is a number that is not used yet.
func (o *office) serial() (int64, error) {
	number, err := rand.Int(rand.Reader, o.limit)
	if err != nil {
		return 0, err
	}
	return number.Int64(), nil
}

func (o *office) serials(count int) (sum int64, err error) {
	for range count {
		number, err := o.serial()
		if err != nil {
			return 0, err
		}
		sum ^= number
	}
	return sum, nil
}

func main() {
	host.Serve(50, []host.Call{{Weight: 1, Path: "/differences"}, {Weight: 1, Method: http.MethodPost, Path: "/serials"}}, func(mux *http.ServeMux) {
		o := &office{limit: big.NewInt(1 << 40)}
		for i, town := range sample.Words(203, 1000) {
			o.register = append(o.register, application{"name " + strconv.Itoa(i%70), town, "road", 150 + i%50, []string{town}})
		}
		mux.HandleFunc("GET /differences", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write(strconv.AppendInt(nil, int64(o.compare(o.register[1:])), 10))
		})
		mux.HandleFunc("POST /serials", func(w http.ResponseWriter, _ *http.Request) {
			sum, err := o.serials(1300)
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			_, _ = w.Write(strconv.AppendInt(nil, sum, 10))
		})
	})
}
