// Command routers finds the shortest ways through a network.
package main

import (
	"net/http"
	"strconv"
	"sync"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type edge struct{ to, cost int32 }

type graph struct {
	edges [][]edge
	work  sync.Pool
}

type visit struct {
	node int32
	cost int32
}

// queue is a binary heap without interfaces.
type queue []visit

func (q *queue) push(one visit) {
	list := append(*q, one)
	at := len(list) - 1
	for at > 0 && list[(at-1)/2].cost > list[at].cost {
		list[(at-1)/2], list[at] = list[at], list[(at-1)/2]
		at = (at - 1) / 2
	}
	*q = list
}

func (q *queue) pop() visit {
	list := *q
	first, last := list[0], len(list)-1
	list[0] = list[last]
	list = list[:last]
	for at := 0; ; {
		least := at
		for child := 2*at + 1; child <= 2*at+2 && child < last; child++ {
			if list[child].cost < list[least].cost {
				least = child
			}
		}
		if least == at {
			break
		}
		list[at], list[least] = list[least], list[at]
		at = least
	}
	*q = list
	return first
}

type workspace struct {
	costs []int32
	queue queue
}

func (g *graph) farthest(from int) int32 {
	work := g.work.Get().(*workspace)
	defer g.work.Put(work)
	for i := range work.costs {
		work.costs[i] = 1 << 30
	}
	work.queue = append(work.queue[:0], visit{int32(from), 0})
	work.costs[from] = 0
	most := int32(0)
	for len(work.queue) > 0 {
		one := work.queue.pop()
		if one.cost > work.costs[one.node] {
			continue
		}
		most = one.cost
		for _, next := range g.edges[one.node] {
			if cost := one.cost + next.cost; cost < work.costs[next.to] {
				work.costs[next.to] = cost
				work.queue.push(visit{next.to, cost})
			}
		}
	}
	return most
}

func main() {
	host.Serve(50, []host.Call{{Path: "/farthest/%d", Range: 3000}}, func(mux *http.ServeMux) {
		g := &graph{edges: make([][]edge, 3000)}
		for i := range g.edges {
			for j, number := range sample.Numbers(uint64(i), 4, 3000) {
				g.edges[i] = append(g.edges[i], edge{int32(number), int32(1 + (i+j)%9)})
			}
		}
		g.work.New = func() any { return &workspace{costs: make([]int32, len(g.edges))} }
		mux.HandleFunc("GET /farthest/{from}", func(w http.ResponseWriter, r *http.Request) {
			from, _ := strconv.Atoi(r.PathValue("from"))
			_, _ = w.Write(strconv.AppendInt(nil, int64(g.farthest(from)), 10))
		})
	})
}
