module none

go 1.26.0
