module flamekeep.example/recordings

go 1.19
