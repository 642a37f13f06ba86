// Package notify tells uploaders that their thumbnail is ready.
package notify

// Hub has one goroutine for each uploader that waits for a reply.
type Hub struct {
	// Leaks leaves a goroutine behind for every uploader that hung up.
	Leaks bool
}

// Connect starts the goroutines of uploaders who stay connected.
func (h *Hub) Connect(uploaders int) {
	messages := make(chan struct{})
	for range uploaders {
		go listen(messages)
	}
}

func listen(messages <-chan struct{}) {
	for range messages {
	}
}

// Announce tells one uploader; gone says that they hung up before.
func (h *Hub) Announce(thumbnail []byte, gone bool) {
	if gone && !h.Leaks {
		return
	}
	acknowledged := make(chan struct{})
	go h.await(receipt(thumbnail), acknowledged)
	if !gone {
		close(acknowledged)
	}
}

//go:noinline
func receipt(thumbnail []byte) []byte {
	copied := make([]byte, len(thumbnail))
	copy(copied, thumbnail)
	return copied
}

// await keeps the receipt until the uploader has acknowledged it.
//
//go:noinline
func (h *Hub) await(receipt []byte, acknowledged <-chan struct{}) {
	<-acknowledged
	clear(receipt)
}
