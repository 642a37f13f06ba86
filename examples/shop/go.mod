module shop

go 1.23
