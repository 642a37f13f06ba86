module thumbs

go 1.26
