module mine

go 1.26.0

require bench v0.0.0

replace bench => ../../..
