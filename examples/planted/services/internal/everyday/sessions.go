package everyday

import (
	"container/list"
	"net/http"
	"strconv"
	"sync"
	"time"
)

func sessionID(number int) string { return "s" + strconv.Itoa(number) }

const sessionsMax = 3000

// sessions keeps the most recently used ones.
type sessions struct {
	mu     sync.Mutex
	byID   map[string]*list.Element
	recent *list.List
}

type session struct {
	id     string
	opened time.Time
	visits int
}

func newSessions() *sessions {
	return &sessions{byID: make(map[string]*list.Element, sessionsMax), recent: list.New()}
}

func (s *sessions) serve(w http.ResponseWriter, r *http.Request) {
	visits := s.visit(r.URL.Query().Get("id"))
	var text [20]byte
	_, _ = w.Write(strconv.AppendInt(text[:0], int64(visits), 10))
}

func (s *sessions) visit(id string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	element, ok := s.byID[id]
	if !ok {
		element = s.open(id)
	}
	s.recent.MoveToFront(element)
	one := element.Value.(*session)
	one.visits++
	return one.visits
}

func (s *sessions) open(id string) *list.Element {
	if s.recent.Len() >= sessionsMax {
		oldest := s.recent.Back()
		delete(s.byID, s.recent.Remove(oldest).(*session).id)
	}
	element := s.recent.PushFront(&session{id: id, opened: time.Now()})
	s.byID[id] = element
	return element
}
