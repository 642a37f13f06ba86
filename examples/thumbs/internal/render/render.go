// Package render makes thumbnails of pictures.
package render

// Picture is eight bits of grey a pixel, row by row.
type Picture struct {
	Width, Height int
	Pixels        []byte
}

// Decode stands for a decoder: it makes the pixels of a picture from its number.
func Decode(number uint32, width, height int) Picture {
	p := Picture{Width: width, Height: height, Pixels: make([]byte, width*height)}
	state := number*2654435761 + 1
	for i := range p.Pixels {
		state ^= state << 13
		state ^= state >> 17
		state ^= state << 5
		p.Pixels[i] = byte(state)
	}
	return p
}

// Scale averages the pixels that fall on each pixel of the smaller picture.
func Scale(from Picture, width, height int) Picture {
	to := Picture{Width: width, Height: height, Pixels: make([]byte, width*height)}
	stepX, stepY := from.Width/width, from.Height/height
	for y := range height {
		for x := range width {
			sum := 0
			for dy := range stepY {
				row := (y*stepY+dy)*from.Width + x*stepX
				for dx := range stepX {
					sum += int(from.Pixels[row+dx])
				}
			}
			to.Pixels[y*width+x] = byte(sum / (stepX * stepY))
		}
	}
	return to
}

// Sharpen raises the contrast of edges; every pass looks at all pixels.
func Sharpen(p Picture, passes int) Picture {
	for range passes {
		next := make([]byte, len(p.Pixels))
		copy(next, p.Pixels)
		for y := 1; y < p.Height-1; y++ {
			for x := 1; x < p.Width-1; x++ {
				next[y*p.Width+x] = sharper(p, x, y)
			}
		}
		p.Pixels = next
	}
	return p
}

//go:noinline
func sharper(p Picture, x, y int) byte {
	at := y*p.Width + x
	value := 5*int(p.Pixels[at]) - int(p.Pixels[at-1]) - int(p.Pixels[at+1]) -
		int(p.Pixels[at-p.Width]) - int(p.Pixels[at+p.Width])
	return byte(max(0, min(255, value)))
}
