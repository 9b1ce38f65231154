# Reads `go test -v`: shows the output of packages that fail, without the tests
# that passed, and of the others the tests that were skipped, with their
# reasons, and go test's own line. Where CI is set, a skipped test is a failure:
# CI has what they need.

function forget() { lines = 0; skips = "" }

/--- SKIP: / { skips = skips previous "\n" $0 "\n"; skipped++ }
{ previous = $0 }

/^(ok  |FAIL|\?   )\t/ {
	if ($1 == "FAIL") { failed = 1; for (i = 1; i <= lines; i++) print line[i] }
	else printf "%s", skips
	print
	fflush()
	forget()
	next
}
!/^=== (RUN|PAUSE|CONT|NAME) / && !/^ *--- PASS: / { line[++lines] = $0 }

END {
	for (i = 1; i <= lines; i++) if (line[i] != "FAIL") print line[i]
	if (failed) print "FAIL"
	if (skipped && ENVIRON["CI"] != "") {
		print skipped " skipped in CI, which has what they need"
		exit 1
	}
}
