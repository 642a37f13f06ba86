package everyday

import (
	"net/http"
	"strconv"
	"sync"
)

var pageBuffers = sync.Pool{New: func() any { return new(pageBuffer) }}

type pageBuffer struct{ body []byte }

// article is shown with its special characters escaped.
var article = func() []byte {
	var text []byte
	for line := range 420 {
		text = append(text, "Terms & conditions, section "...)
		text = strconv.AppendInt(text, int64(line), 10)
		text = append(text, `: "goods" are returned if <damaged>; the shop's address is above.`+"\n"...)
	}
	return text
}()

func servePage(w http.ResponseWriter, _ *http.Request) {
	buffer := pageBuffers.Get().(*pageBuffer)
	defer pageBuffers.Put(buffer)
	buffer.body = append(buffer.body[:0], "<!doctype html><pre>"...)
	buffer.body = appendEscaped(buffer.body, article)
	buffer.body = append(buffer.body, "</pre>"...)
	w.Header().Set("Content-Type", "text/html")
	_, _ = w.Write(buffer.body)
}

func appendEscaped(to, text []byte) []byte {
	for _, char := range text {
		switch char {
		case '&':
			to = append(to, "&amp;"...)
		case '<':
			to = append(to, "&lt;"...)
		case '>':
			to = append(to, "&gt;"...)
		case '"':
			to = append(to, "&quot;"...)
		case '\'':
			to = append(to, "&#39;"...)
		default:
			to = append(to, char)
		}
	}
	return to
}
