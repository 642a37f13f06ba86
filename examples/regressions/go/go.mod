module checkout

go 1.26
