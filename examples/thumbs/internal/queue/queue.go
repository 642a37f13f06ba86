// Package queue runs jobs on a fixed number of workers.
package queue

// Queue holds jobs until a worker is free.
type Queue struct {
	jobs chan func()
}

// Start starts the workers, which wait on the queue.
func Start(workers, length int) *Queue {
	q := &Queue{jobs: make(chan func(), length)}
	for range workers {
		go q.work()
	}
	return q
}

// Add waits while the queue is full.
func (q *Queue) Add(job func()) {
	q.jobs <- job
}

func (q *Queue) work() {
	for job := range q.jobs {
		job()
	}
}
