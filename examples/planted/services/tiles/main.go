// Command tiles draws map tiles and keeps a bounded number of them.
package main

import (
	"container/list"
	"net/http"
	"strconv"
	"sync"

	"example.com/services/internal/host"
)

const tilesMax, tileSize = 400, 64 << 10

type tile struct {
	number int
	points []byte
}

type cache struct {
	mu       sync.Mutex
	byNumber map[int]*list.Element
	order    *list.List
}

// take returns a tile that is there, or nil.
func (c *cache) take(number int) *tile {
	c.mu.Lock()
	defer c.mu.Unlock()
	element := c.byNumber[number]
	if element == nil {
		return nil
	}
	c.order.MoveToFront(element)
	return element.Value.(*tile)
}

// put makes room first.
func (c *cache) put(number int) *tile {
	one := &tile{number: number, points: c.room()}
	draw(one)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.byNumber[number] = c.order.PushFront(one)
	return one
}

func (c *cache) room() []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.order.Len() < tilesMax {
		return make([]byte, tileSize)
	}
	oldest := c.order.Remove(c.order.Back()).(*tile)
	delete(c.byNumber, oldest.number)
	return make([]byte, tileSize)
}

func draw(one *tile) {
	for i := range one.points {
		one.points[i] = byte(i*one.number>>3 ^ i>>8)
	}
}

func main() {
	host.Serve(40, []host.Call{{Path: "/tiles/%d", Range: 430}}, func(mux *http.ServeMux) {
		c := &cache{byNumber: make(map[int]*list.Element, tilesMax), order: list.New()}
		for number := range tilesMax {
			c.put(number)
		}
		mux.HandleFunc("GET /tiles/{number}", func(w http.ResponseWriter, r *http.Request) {
			number, _ := strconv.Atoi(r.PathValue("number"))
			one := c.take(number)
			if one == nil {
				one = c.put(number)
			}
			_, _ = w.Write(one.points[:2000])
		})
	})
}
