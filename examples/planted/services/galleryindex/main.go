// Command galleryindex lists the pictures of a folder.
package main

import (
	"bufio"
	"io/fs"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

// size sums the pictures below a folder.
func size(folder string) (bytes int64, err error) {
	err = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		about, err := os.Stat(path)
		if err == nil {
			bytes += about.Size()
		}
		return err
	})
	return bytes, err
}

func create(folder, name string) error {
	file, err := os.Create(filepath.Join(folder, name))
	if err != nil {
		return err
	}
	buffered := bufio.NewWriter(file)
	if _, err := buffered.Write(sample.Bytes(390, 100)); err != nil {
		return err
	}
	if err := buffered.Flush(); err != nil {
		return err
	}
	return file.Close()
}

func main() {
	host.Serve(60, []host.Call{{Path: "/size/%d"}}, func(mux *http.ServeMux) {
		folder, err := os.MkdirTemp("", "pictures")
		if err != nil {
			log.Fatal(err)
		}
		for _, name := range sample.Keys("picture", 30) {
			if err := create(folder, name); err != nil {
				log.Fatal(err)
			}
		}
		mux.HandleFunc("GET /size/{number}", func(w http.ResponseWriter, _ *http.Request) {
			bytes, err := size(folder)
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			_, _ = w.Write(strconv.AppendInt(nil, bytes, 10))
		})
	})
}
