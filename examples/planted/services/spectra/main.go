// Command spectra finds the loudest tones of recordings.
package main

import (
	"math"
	"math/cmplx"
	"net/http"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
	"example.com/services/internal/web"
)

// transform is a fast Fourier transform; the length is a power of two.
func transform(wave []complex128) []complex128 {
	half := len(wave) / 2
	if half == 0 {
		return []complex128{wave[0]}
	}
	even, odd := make([]complex128, half), make([]complex128, half)
	for i := range half {
		even[i], odd[i] = wave[2*i], wave[2*i+1]
	}
	even, odd = transform(even), transform(odd)
	out := make([]complex128, len(wave))
	for i := range half {
		turned := odd[i] * twiddles[i*(size/len(wave))]
		out[i], out[i+half] = even[i]+turned, even[i]-turned
	}
	return out
}

const size = 512

var twiddles = func() (all [size / 2]complex128) {
	for i := range all {
		all[i] = cmplx.Rect(1, -2*math.Pi*float64(i)/size)
	}
	return all
}()

type recording []float64

func (c recording) loudest(from int) (tone int) {
	wave := make([]complex128, size)
	for i := range wave {
		wave[i] = complex(c[(from+i)%len(c)], 0)
	}
	most := 0.0
	for i, one := range transform(wave)[1 : size/2] {
		if loud := real(one)*real(one) + imag(one)*imag(one); loud > most {
			most, tone = loud, i
		}
	}
	return tone
}

// envelope is the loudness of the whole recording, a line for each eight values.
func (c recording) envelope(scale int) []byte {
	lines := make([]byte, 0, len(c)/8*4)
	for at := 0; at+8 <= len(c); at += 8 {
		most := 0.0
		for _, value := range c[at : at+8] {
			most = max(most, value)
		}
		lines = strconv.AppendInt(lines, int64(most*float64(scale)), 10)
		lines = append(lines, '\n')
	}
	return lines
}

func main() {
	c := make(recording, 50_000)
	for i, noise := range sample.Numbers(211, len(c), 100) {
		c[i] = math.Sin(float64(i)/40) + float64(noise)/200
	}
	host.Serve(50, []host.Call{{Weight: 2, Path: "/seconds/%d/tone"}, {Weight: 5, Path: "/envelopes/%d"}}, func(mux *http.ServeMux) {
		mux.HandleFunc("GET /envelopes/{scale}", func(w http.ResponseWriter, r *http.Request) {
			_, _ = w.Write(c.envelope(100 + web.Number(r, "scale")%50))
		})
		mux.Handle("GET /seconds/{second}/tone", web.Handler(func(w http.ResponseWriter, r *http.Request) error {
			return web.Count(w, c.loudest(web.Number(r, "second")*5))
		}))
	})
}
