module mine

go 1.26.0

require example.org/bench v0.0.0

replace example.org/bench => ../../..
