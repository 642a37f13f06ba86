// Command polls counts answers by question and town.
package main

import (
	"net/http"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
	"example.com/services/internal/web"
)

type answer struct {
	town     int
	question uint8
}

type cell struct{ yes, no int }

// tally has a cell for each town and question that occurs.
func tally(answers []answer, values []int) map[answer]cell {
	cells := map[answer]cell{}
	for i, one := range answers {
		cell := cells[one]
		if values[i]&1 == 0 {
			cell.no++
		} else {
			cell.yes++
		}
		cells[one] = cell
	}
	return cells
}

// close counts the questions that few votes decide.
func closeCalls(cells map[answer]cell) (count int) {
	for _, cell := range cells {
		if difference := cell.yes - cell.no; difference*difference <= 1 {
			count++
		}
	}
	return count
}

type survey struct {
	answers []answer
	values  []int
}

func newSurvey() *survey {
	towns, questions := sample.Numbers(61, 40_000, 100_000), sample.Numbers(62, 40_000, 8)
	s := &survey{values: sample.Numbers(63, 40_000, 100)}
	for i, town := range towns {
		s.answers = append(s.answers, answer{town, uint8(questions[i])})
	}
	return s
}

func (s *survey) district(w http.ResponseWriter, r *http.Request) error {
	from := web.Number(r, "district") * 120 % 34_000
	return web.Count(w, closeCalls(tally(s.answers[from:from+5000], s.values[from:])))
}

func main() {
	s := newSurvey()
	host.Serve(40, []host.Call{{Path: "/districts/%d/close"}}, func(mux *http.ServeMux) {
		mux.Handle("GET /districts/{district}/close", web.Handler(s.district))
	})
}
