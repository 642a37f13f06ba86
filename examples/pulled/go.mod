module example.com/pulled

go 1.23
