// Command orbits computes where bodies are after some time.
package main

import (
	"math"
	"net/http"
	"strconv"

	"example.com/services/internal/host"
)

type vector struct{ x, y, z float64 }

func (v vector) plus(o vector) vector        { return vector{v.x + o.x, v.y + o.y, v.z + o.z} }
func (v vector) minus(o vector) vector       { return vector{v.x - o.x, v.y - o.y, v.z - o.z} }
func (v vector) times(factor float64) vector { return vector{v.x * factor, v.y * factor, v.z * factor} }
func (v vector) dot(o vector) float64        { return v.x*o.x + v.y*o.y + v.z*o.z }

type force interface{ between(a, b *body) vector }

type body struct {
	at, speed vector
	mass      float64
}

type gravity struct{ constant, softening float64 }

func (g *gravity) between(a, b *body) vector {
	distance := b.at.minus(a.at)
	square := distance.dot(distance) + g.softening
	return distance.times(g.constant * b.mass / (square * math.Sqrt(square)))
}

type system struct {
	bodies []body
	force  force
}

// step moves all bodies.
func (s *system) step(time float64) {
	for i := range s.bodies {
		var pull vector
		for j := range s.bodies {
			if i != j {
				pull = pull.plus(s.force.between(&s.bodies[i], &s.bodies[j]))
			}
		}
		s.bodies[i].speed = s.bodies[i].speed.plus(pull.times(time))
	}
	for i := range s.bodies {
		s.bodies[i].at = s.bodies[i].at.plus(s.bodies[i].speed.times(time))
	}
}

func newSystem(count int) *system {
	s := &system{bodies: make([]body, count), force: &gravity{1, 0.01}}
	for i := range s.bodies {
		angle := float64(i)
		s.bodies[i] = body{at: vector{math.Cos(angle) * angle, math.Sin(angle) * angle, angle / 9}, mass: 1 / (angle + 1)}
	}
	return s
}

func main() {
	host.Serve(45, []host.Call{{Path: "/orbits/%d"}}, func(mux *http.ServeMux) {
		mux.HandleFunc("GET /orbits/{days}", func(w http.ResponseWriter, r *http.Request) {
			days, _ := strconv.Atoi(r.PathValue("days"))
			s := newSystem(64)
			for range 40 {
				s.step(float64(days) / 1000)
			}
			_, _ = w.Write(strconv.AppendFloat(nil, s.bodies[3].at.x, 'g', 6, 64))
		})
	})
}
