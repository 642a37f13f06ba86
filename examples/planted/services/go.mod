module example.com/services

go 1.26.0

require (
	github.com/google/pprof v0.0.0-20240227163752-401108e1b7e7
	golang.org/x/crypto v0.58.0
)
