// Command thumbnails makes pictures smaller, a few at a time.
package main

import (
	"net/http"
	"strconv"
	"sync"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

const width, height, factor = 640, 480, 4

type picture struct{ gray []byte }

type task struct {
	source *picture
	target []byte
	done   chan<- struct{}
}

type studio struct {
	pictures []picture
	tasks    chan task
	targets  sync.Pool
}

func (s *studio) worker() {
	for one := range s.tasks {
		shrink(one.target, one.source.gray)
		one.done <- struct{}{}
	}
}

// shrink averages squares of points.
func shrink(target, source []byte) {
	for y := 0; y < height; y += factor {
		for x := 0; x < width; x += factor {
			sum := 0
			for dy := range factor {
				row := source[(y+dy)*width+x:][:factor]
				for _, point := range row {
					sum += int(point)
				}
			}
			target[y/factor*(width/factor)+x/factor] = byte(sum / (factor * factor))
		}
	}
}

func (s *studio) serve(w http.ResponseWriter, r *http.Request) {
	number, _ := strconv.Atoi(r.PathValue("number"))
	target := s.targets.Get().(*[width * height / factor / factor]byte)
	defer s.targets.Put(target)
	done := make(chan struct{}, 1)
	s.tasks <- task{&s.pictures[number%len(s.pictures)], target[:], done}
	<-done
	_, _ = w.Write(target[:])
}

func main() {
	host.Serve(50, []host.Call{{Path: "/thumbnail/%d"}}, func(mux *http.ServeMux) {
		s := &studio{tasks: make(chan task, 16)}
		s.targets.New = func() any { return new([width * height / factor / factor]byte) }
		for i := range 6 {
			s.pictures = append(s.pictures, picture{sample.Bytes(uint64(i), width*height)})
		}
		for range 4 {
			go s.worker()
		}
		mux.HandleFunc("GET /thumbnail/{number}", s.serve)
	})
}
