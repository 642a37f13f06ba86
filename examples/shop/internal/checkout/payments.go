package checkout

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strconv"
	"time"
)

// ErrDeclined says that the bank said no.
var ErrDeclined = errors.New("payment declined")

// Payments hands charges to a fixed set of workers over a channel: orders wait
// for a worker, workers wait for orders, and both show in the block profile.
type Payments struct {
	charges chan charge
}

type charge struct {
	id    string
	cents int64
	reply chan outcome
}

type outcome struct {
	receipt string
	err     error
}

// NewPayments starts the workers; they live as long as the process.
func NewPayments(workers int) *Payments {
	p := &Payments{charges: make(chan charge)}
	for range workers {
		go p.work()
	}
	return p
}

// Charge waits for a free worker and for its answer.
func (p *Payments) Charge(id string, cents int64) (string, error) {
	reply := make(chan outcome, 1)
	p.charges <- charge{id: id, cents: cents, reply: reply}
	done := <-reply
	return done.receipt, done.err
}

func (p *Payments) work() {
	for c := range p.charges {
		c.reply <- settle(c)
	}
}

func settle(c charge) outcome {
	time.Sleep(3 * time.Millisecond)
	if c.cents%23 == 0 {
		return outcome{err: ErrDeclined}
	}
	return outcome{receipt: signReceipt(c)}
}

func signReceipt(c charge) string {
	sum := []byte(c.id)
	for range 200 {
		mac := hmac.New(sha256.New, []byte("receipt-signing-key"))
		mac.Write(sum)
		mac.Write(strconv.AppendInt(nil, c.cents, 10))
		sum = mac.Sum(nil)
	}
	return hex.EncodeToString(sum)
}
