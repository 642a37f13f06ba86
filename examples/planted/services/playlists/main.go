// Command playlists finds songs in playlists, and knows recordings by their sum.
package main

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"slices"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type song struct {
	number int
	title  string
}

type playlist struct{ songs []song }

// place of a song, -1 if it is missing.
func (p *playlist) place(number int) int {
	return slices.IndexFunc(p.songs, func(one song) bool { return one.number == number })
}

// shared counts the songs that are in both.
func (p *playlist) shared(other []int) (count int) {
	for _, number := range other {
		if p.place(number) >= 0 {
			count++
		}
	}
	return count
}

type recording struct{ content []byte }

// name is the same for the same recording.
func (r recording) name() string {
	sum := sha256.Sum256(r.content)
	return hex.EncodeToString(sum[:8])
}

func main() {
	host.Serve(55, []host.Call{{Weight: 1, Path: "/playlists/%d/shared"}, {Weight: 2, Path: "/recordings/%d"}}, func(mux *http.ServeMux) {
		p := &playlist{}
		for i, title := range sample.Keys("song", 5000) {
			p.songs = append(p.songs, song{i * 3, title})
		}
		other := sample.Numbers(142, 300, 30_000)
		var recordings []recording
		for i := range 12 {
			recordings = append(recordings, recording{sample.Bytes(uint64(i), 300<<10)})
		}
		mux.HandleFunc("GET /playlists/{number}/shared", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write(strconv.AppendInt(nil, int64(p.shared(other)), 10))
		})
		mux.HandleFunc("GET /recordings/{number}", func(w http.ResponseWriter, r *http.Request) {
			number, _ := strconv.Atoi(r.PathValue("number"))
			_, _ = w.Write([]byte(recordings[number%len(recordings)].name()))
		})
	})
}
